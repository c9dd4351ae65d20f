"""One technology a module behind the ports; SDK errors become errors of ours."""
