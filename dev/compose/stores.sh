#!/bin/sh
# Both stores of docker-compose.yml lie in one PostgreSQL; in a container of its image (docs/restoring.md):
#   serve                   the server, with its WAL archived in $BACKUPS/wal when full or five minutes old
#   backup                  into $BACKUPS/<UTC time>, while everything runs; WAL that no backup needs any more goes
#   restore BACKUP [POINT]  brings one back, at its end or at a later point, while nothing else runs
set -eu
BACKUPS=${BACKUPS:-/backups}
PGDATA=${PGDATA:-/var/lib/postgresql/data}
SERVER=${SERVER:-postgres}
NUMBERS_LEFT_OUT=10000
ARCHIVE_COMMAND="if test -f \"$BACKUPS/wal/%f\"; then cmp -s \"%p\" \"$BACKUPS/wal/%f\"; else cp \"%p\" \"$BACKUPS/wal/%f.part\" && mv \"$BACKUPS/wal/%f.part\" \"$BACKUPS/wal/%f\"; fi"

now() { date -u +%Y%m%dT%H%M%SZ; }

fail() {
    echo "✗ $*" >&2
    exit 1
}

serve() {
    install -d -o postgres -g postgres -m 700 "$BACKUPS" "$BACKUPS/wal"
    exec docker-entrypoint.sh postgres -c max_connections=300 -c archive_mode=on -c archive_timeout=300 -c "archive_command=$ARCHIVE_COMMAND"
}

backup() {
    to=$BACKUPS/$(now)
    [ ! -e "$to" ] || fail "$to is there already."
    rm -rf "$BACKUPS"/*.draft
    pg_basebackup --pgdata="$to.draft" --wal-method=stream --checkpoint=fast --no-password
    mv "$to.draft" "$to"
    # by their place in the log, on whichever timeline
    oldest=$(sed -n 's/^START WAL LOCATION:.*(file \(.*\))$/\1/p' "$BACKUPS"/2*/backup_label | sort -k 1.9 | head -n 1)
    pg_archivecleanup "$BACKUPS/wal" "$oldest"
    echo "$to"
}

restore() {
    [ $# -ge 1 ] && [ $# -le 2 ] || fail "restore BACKUP [POINT]"
    from=$BACKUPS/$1 point=${2:-} settings=$PGDATA/postgresql.auto.conf
    [ -f "$from/backup_label" ] || fail "$from is no backup."
    case $point in
    "" | [0-9]*-[0-9]*-[0-9]*T[0-9]*:[0-9]*:[0-9]*Z) ;;
    *) fail "A point is a moment in UTC, as 2026-11-26T14:05:00Z." ;;
    esac
    [ -z "$point" ] || expr "$(echo "$point" | tr -d ':-')" '>' "$1" >/dev/null || fail "$from was made after that point."
    # 2: nobody answers; a server that starts or recovers is none to overwrite
    answers=0
    pg_isready --quiet --host="$SERVER" || answers=$?
    [ "$answers" -eq 2 ] || fail "PostgreSQL runs: docker compose stop"
    aside=$BACKUPS/before-$(now)
    cp -a "$PGDATA" "$aside"
    find "$PGDATA" -mindepth 1 -delete
    cp -a "$from/." "$PGDATA/"
    forget
    {
        # also without a point: what came of earlier restores names timelines that are taken
        echo "restore_command = 'cp \"$BACKUPS/wal/%f\" \"%p\"'"
        if [ -n "$point" ]; then
            echo "recovery_target_time = '$point'"
        else
            echo "recovery_target = 'immediate'"
            echo "recovery_target_timeline = 'current'"
        fi
        echo "recovery_target_action = 'promote'"
        # what tells of the new timeline is archived, too
        echo "archive_mode = on"
        echo "archive_command = '$ARCHIVE_COMMAND'"
    } >>"$settings"
    touch "$PGDATA/recovery.signal"
    PGHOST=$(mktemp -d)
    export PGHOST
    trap 'pg_ctl stop --pgdata="$PGDATA" --mode=immediate >&2 || true; cat "$PGHOST/log" >&2; echo "What was there is in $aside." >&2' EXIT
    # nobody is let in before the point is reached, nor from outside
    pg_ctl start --pgdata="$PGDATA" --wait --log="$PGHOST/log" \
        --options="-c listen_addresses='' -c unix_socket_directories='$PGHOST' -c hot_standby=off -p ${PGPORT:-5432}" >&2
    until [ "$(ask postgres 'select pg_is_in_recovery()' 2>/dev/null)" = f ]; do
        pg_ctl status --pgdata="$PGDATA" >/dev/null
        sleep 0.2
    done
    # the ERP may know orders under numbers that we forgot
    ask turnkey "select setval(s, nextval(s) + $NUMBERS_LEFT_OUT) from pg_get_serial_sequence('shop_order', 'count') s" >/dev/null
    trap - EXIT
    pg_ctl stop --pgdata="$PGDATA" --wait --mode=fast >&2
    forget
    echo "Restored; what was there is in $aside."
}

ask() { psql --no-psqlrc --no-password --tuples-only --no-align --set=ON_ERROR_STOP=1 --dbname="$1" --command="$2"; }

forget() { sed -i -e '/^restore_command/d' -e '/^recovery_target/d' -e '/^archive_/d' "$settings"; }

case ${1:-} in
serve | backup | restore) "$@" ;;
*) fail "serve, backup, or restore BACKUP [POINT]" ;;
esac
