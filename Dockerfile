# One image for API, worker, migrations and stand-ins; docker-compose.yml says which of them a container is.

FROM node:24-bookworm-slim AS web
WORKDIR /build/web
COPY web/package.json web/package-lock.json web/.npmrc ./
RUN npm install --no-save --no-audit --no-fund
COPY web/ ./
RUN npm run build

FROM python:3.11-slim-bookworm AS packages
COPY --from=ghcr.io/astral-sh/uv:0.13.9 /uv /usr/local/bin/uv
WORKDIR /build
COPY pyproject.toml requirements.txt ./
# The dependencies of the portal itself, at the locked versions; the tools of development stay out.
RUN uv venv /opt/venv && VIRTUAL_ENV=/opt/venv uv pip install --no-cache --compile-bytecode -r pyproject.toml -c requirements.txt

FROM python:3.11-slim-bookworm
RUN useradd --system --create-home --home-dir /var/lib/turnkey turnkey
COPY --from=packages /opt/venv /opt/venv
WORKDIR /app
COPY pyproject.toml Procfile assembly.py logs.py settings.py ./
COPY domain/ domain/
COPY db/ db/
COPY providers/ providers/
COPY activities/ activities/
COPY workflows/ workflows/
COPY workers/ workers/
COPY observing/ observing/
COPY api/ api/
COPY simulators/ simulators/
COPY --from=web /build/web/dist web/dist/
ENV PATH=/opt/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONPATH=/app STATE_DIR=/var/lib/turnkey WEB_DIST=/app/web/dist
USER turnkey
CMD ["python", "-m", "api.main"]
