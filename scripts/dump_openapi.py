"""Prints the API's OpenAPI schema as JSON."""

import json
import sys

from mindnet.api.app import create_app

json.dump(create_app(None, token="").openapi(), sys.stdout, indent=2)
