import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNetworks, isPublicAddress } from './public-address.ts';

const publicOnes = [
  '1.1.1.1',
  '8.8.8.8',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.0.1',
  '100.128.0.1',
  '2606:4700::1111',
  '2a00:1450::1',
];
const others = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '168.63.129.16',
  '203.0.113.9',

  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:a00:1',
  '::7f00:1',
  'fe80::1',
  'fe80::1%lo',
  'fc00::1',
  'fd00:ec2::254',

  'ff02::1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a00:1',
  '2002:7f00:1::',
  '2001::1',
  '2001:db8::1',
  '3fff::1',
  'fec0::1',
  '',
  'localhost',
  '127.1',
  '0x7f000001',
  '2130706433',
  '1.1.1.1/8',
];

test('an address in the Internet is told from all others, however they are written', () => {
  for (const address of publicOnes) assert.ok(isPublicAddress(address), address);
  for (const address of others) assert.ok(!isPublicAddress(address), address);
});

test('networks of an operator hold their addresses and no others', () => {
  const isAllowed = createNetworks(['10.0.0.0/8', '127.0.0.1', 'fd00::/8']);
  for (const address of ['10.255.0.1', '127.0.0.1', 'fd12::1']) assert.ok(isAllowed(address), address);
  for (const address of ['11.0.0.1', '127.0.0.2', 'fe80::1', '8.8.8.8', '', 'localhost'])
    assert.ok(!isAllowed(address), address);
  assert.ok(!createNetworks([])('127.0.0.1'));
});
