"""Prints the OpenAPI document; needs no service: `python -m api.openapi`."""

import json

from api.main import create_app
from settings import Settings


def main() -> None:
    document = create_app(Settings()).openapi()
    print(json.dumps(document, indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()
