import { X509Certificate } from 'node:crypto';
import { createSigner } from '../signing.ts';

/** Name of the signer of genuine dossiers, whose issuer is trusted, and of others. */

const name = 'MINISTRY';
const root = createSigner('ec', 'ROOT', { isIssuer: true, serial: 1 });
export const ministry = createSigner('ec', name, { issuer: root, serial: 2 });
export const impostor = createSigner('ec', name, { serial: 2 });
export const impostorRoot = createSigner('ec', 'ROOT', { isIssuer: true, serial: 1 });
export const below = createSigner('ec', name, { issuer: impostorRoot, serial: 2 });
export const leaf = createSigner('ec', 'CLERK', { issuer: root, serial: 3 });
export const belowLeaf = createSigner('ec', name, { issuer: leaf, serial: 2 });
export const expired = createSigner('ec', name, { issuer: root, serial: 4, to: '260301000000Z' });
export const early = createSigner('ec', name, { issuer: root, serial: 5, from: '380101000000Z' });

export const trusted = [new X509Certificate(root.certificate)];
export type Signer = typeof ministry;
