import { BlockList, isIP } from 'node:net';

/** Networks of IPv4 that do not belong to the Internet, and the services of clouds about their machines. */
const privateIpv4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // shared by carriers
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // of Azure
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
/** Of the one block of IPv6 that is given out, what is not an address of its own, or hides one of IPv4. */
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

/** Returns whether an IP address, as text, belongs to a machine in the Internet; false for anything else. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !refused.check(address, 'ipv4');
  // Addresses that stand for one of IPv4 (mapped, NAT64, 6to4, Teredo) lie elsewhere, or are among the refused.
  return version === 6 && givenOut.check(address, 'ipv6') && !refused.check(address, 'ipv6');
}

/** Returns what says whether an address lies in one of these networks: `10.0.0.0/8`, or an address alone. */
export function createNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const version = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, Number(bits ?? (version === 'ipv6' ? 128 : 32)), version);
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
