import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv6 } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Names of a service on this machine in a `Host` header. */
const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Returns whether a host name (lower case, an IPv6 address in brackets) always means this machine. */
export function isLoopbackName(name: string): boolean {
  return loopbackNames.includes(name);
}

/** Returns whether a server that listens on `host` (a name or an address) is reachable from this machine only. */
export async function isLoopbackOnly(host: string): Promise<boolean> {
  const addresses = isIP(host) === 0 ? await lookup(host, { all: true }) : [{ address: host }];
  return addresses.every(({ address }) => loopback.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'));
}

/** Removes trailing slashes in linear time. */
export function withoutTrailingSlashes(address: string): string {
  // The look-behind starts one match per run of slashes, not one per slash.
  return address.replace(/(?<!\/)\/+$/, '');
}

/** Returns the network that counts as one client: an IPv4 address, or the /64 of an IPv6 subscriber. */
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
