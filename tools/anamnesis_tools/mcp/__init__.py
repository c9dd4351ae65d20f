"""`anamnesis mcp`: a wiki as tools of the Model Context Protocol, over a checkout or over the API."""
