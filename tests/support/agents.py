"""The official client of the Model Context Protocol, as an agent uses it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

T = TypeVar("T")


class Agent:
    """A client that is connected for one act at a time."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def tools(self) -> dict[str, Any]:
        """Tools by name."""
        return {tool.name: tool for tool in (await self._client.list_tools()).tools}

    async def told(self, tool: str, **arguments: Any) -> str:
        """What a tool answers; it must not be an error."""
        failed, text = await self.asked(tool, **arguments)
        assert not failed, text
        return text

    async def refused(self, tool: str, **arguments: Any) -> str:
        """Why a tool does not answer; it must be an error."""
        failed, text = await self.asked(tool, **arguments)
        assert failed, text
        return text

    async def asked(self, tool: str, **arguments: Any) -> tuple[bool, str]:
        """Whether a tool failed, and its text."""
        result = await self._client.call_tool(tool, arguments)
        return bool(result.is_error), "\n".join(getattr(part, "text", "") for part in result.content)

    async def listed(self) -> list[str]:
        """Addresses of all resources, page by page."""
        found: list[str] = []
        cursor: str | None = None
        while True:
            page = await self._client.list_resources(cursor=cursor)
            found += [str(resource.uri) for resource in page.resources]
            cursor = page.next_cursor
            if cursor is None:
                return found

    async def resource(self, uri: str) -> str:
        """The text of a resource."""
        [content] = (await self._client.read_resource(uri)).contents
        return str(getattr(content, "text", ""))

    async def no_resource(self, uri: str) -> str:
        """Why there is no such resource."""
        try:
            await self.resource(uri)
        except MCPError as error:
            return str(error)
        raise AssertionError(f"{uri} was read")


def over(server: Any, act: Callable[[Agent], Awaitable[T]], **options: Any) -> T:
    """Connect to a server, in process or started by its parameters, and act."""

    async def connected() -> T:
        async with Client(server, **options) as client:
            return await act(Agent(client))

    return anyio.run(connected)


def over_http(
    url: str,
    token: str,
    act: Callable[[Agent], Awaitable[T]],
    *,
    transport: httpx2.AsyncBaseTransport | None = None,
    mode: str = "auto",
) -> T:
    """Connect over streamable HTTP with a token, and act."""

    async def connected() -> T:
        headers = {"Authorization": f"Bearer {token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60, trust_env=False, transport=transport) as http,
            Client(streamable_http_client(url, http_client=http), mode=mode) as client,
        ):
            return await act(Agent(client))

    return anyio.run(connected)
