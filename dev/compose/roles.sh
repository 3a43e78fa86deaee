#!/bin/sh
# Run once by the PostgreSQL image, on an empty data folder: the roles and databases of the portal and of Temporal.
set -eu
psql --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres \
    --set=owner="$OWNER_PASSWORD" --set=app="$APP_PASSWORD" --set=temporal="$TEMPORAL_PASSWORD" <<'SQL'
create role turnkey login password :'owner';
create role turnkey_app login password :'app';
create role temporal login createdb password :'temporal';
create database turnkey owner turnkey;
create database temporal owner temporal;
create database temporal_visibility owner temporal;
SQL
