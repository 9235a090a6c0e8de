"""Checks COGs by rio-cogeo, which takes a warning for an error. usage: validate.py FILE..."""
import sys

from rio_cogeo import cog_validate

for path in sys.argv[1:]:
    is_valid, errors, warnings = cog_validate(path, strict=True, quiet=True)
    if not is_valid or errors or warnings:
        sys.exit(f'{path}: {errors} {warnings}')
