import { BlockList, isIP } from 'node:net';

/** IPv4 networks that are not public, and the metadata services of cloud providers. */
const privateIpv4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // shared address space of carriers
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // Azure
  ['169.254.0.0', 16], // link-local, with the metadata of most clouds
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3], // multicast, reserved and broadcast
] as const;
/** Parts of the allocated IPv6 block that are not public addresses, or that embed an IPv4 address. */
const notPublicIpv6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const refused = new BlockList();
for (const [network, bits] of privateIpv4) refused.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of notPublicIpv6) refused.addSubnet(network, bits, 'ipv6');
const givenOut = new BlockList();
givenOut.addSubnet('2000::', 3, 'ipv6');

/** Returns whether a text is a public IP address; false for any other text. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !refused.check(address, 'ipv4');
  // Addresses that embed an IPv4 address (mapped, NAT64, 6to4, Teredo) lie outside of the allocated block, or are refused.
  return version === 6 && givenOut.check(address, 'ipv6') && !refused.check(address, 'ipv6');
}

/** Returns a function that tests whether an address is in one of these networks, such as `10.0.0.0/8` or a single address. */
export function createNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const version = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, Number(bits ?? (version === 'ipv6' ? 128 : 32)), version);
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
