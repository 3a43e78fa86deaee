"""What `make dev` shows traces by: takes them by OTLP over HTTP, keeps the last ones, and shows one as a waterfall."""
