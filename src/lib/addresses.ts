import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv6 } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** The names under which a service on this machine is spoken to, as they stand in a `Host` header. */
const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Returns whether a host name (lower case, an IPv6 address in brackets) means this machine and can mean no other. */
export function isLoopbackName(name: string): boolean {
  return loopbackNames.includes(name);
}

/** Returns whether a server that listens on `host`, a name or an address, can be reached from this machine alone. */
export async function isLoopbackOnly(host: string): Promise<boolean> {
  const addresses = isIP(host) === 0 ? await lookup(host, { all: true }) : [{ address: host }];
  return addresses.every(({ address }) => loopback.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'));
}

/** Returns an address without the slashes at its end, in one step for each character. */
export function withoutTrailingSlashes(address: string): string {
  // The look-behind begins once in a run of slashes, not at each of them.
  return address.replace(/(?<!\/)\/+$/, '');
}

/** Returns what counts as one client: an IPv4 address, or the /64 that a subscriber has of IPv6. */
export function networkOf(address: string): string {
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(address) ?? [];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [before = [], after] = address
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const left = after === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const zeros = Array.from({ length: left }, () => '0');
  const first = [...before, ...zeros, ...(after ?? [])].slice(0, 4);
  return first.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}
