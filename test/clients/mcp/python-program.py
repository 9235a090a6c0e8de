"""Speaks to Steppe as a program made with the Python SDK does. Argument: the address of the service. Writes what it has seen as JSON."""

import asyncio
import json
import sys

from mcp import Client


async def main(address):
    async with Client(f'{address}/mcp') as client:
        tools = await client.list_tools()
        found = await client.call_tool('search_datasets', {'file_type': 'raster', 'limit': 5})
        print(json.dumps({
            'version': client.protocol_version,
            'tools': [tool.name for tool in tools.tools],
            'found': found.structured_content['answer']['total'],
        }))


asyncio.run(main(sys.argv[1]))
