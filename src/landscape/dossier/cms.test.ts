import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createSigner } from '../../../test/support/landscape/signing.ts';
import { NotCms, readSignedData, signersOf } from './cms.ts';

const manifest = Buffer.from('{"format":"steppe-dossier","name":"Өңір"}');
const other = Buffer.from('{"format":"steppe-dossier","name":"Өңір!"}');
const signers = { rsa: createSigner('rsa', 'ӘҒҚҢӨҰҮҺІ'), ec: createSigner('ec', 'ТЕСТОВ ТЕСТ') };
const checksOf = (cms: Buffer, content = manifest) =>
  signersOf(readSignedData(cms), content).map(({ digest, signature }) => [digest, signature].join());

describe('A signature', () => {
  for (const [kind, signer] of Object.entries(signers)) {
    for (const options of [{}, { isPlain: true }, { isAttached: true }, { isBer: true, isAttached: true }])
      test(`of ${kind} is right over what was signed alone: ${JSON.stringify(options)}`, () => {
        const cms = signer.sign(manifest, options);
        assert.deepEqual(checksOf(cms), ['right,right']);
        assert.match(checksOf(cms, other).join(), /wrong/);
      });
  }

  test('states who has signed, and when', () => {
    const [signer] = signersOf(readSignedData(signers.rsa.sign(manifest)), manifest);
    assert.deepEqual(signer, {
      subject: 'CN=ӘҒҚҢӨҰҮҺІ',
      issuer: 'CN=ӘҒҚҢӨҰҮҺІ',
      serial: signers.rsa.serial,
      valid_from: '2025-06-01T08:00:00.000Z',
      valid_to: '2040-06-01T08:00:00.000Z',
      signed_at: '2026-02-04T05:12:00.000Z',
      validity: 'right',
      digest: 'right',
      signature: 'right',
    });
  });

  test('by algorithms that are not known here is not checked, and not refused', () => {
    const cms = signers.ec.sign(manifest, { isGost: true });
    assert.deepEqual(checksOf(cms), ['not_checked,not_checked']);
    assert.deepEqual(checksOf(cms, other), ['not_checked,not_checked']);
  });

  test('with a changed byte is read or refused, and never signs other bytes', () => {
    const cms = signers.ec.sign(manifest);
    for (let at = 0; at < cms.length; at += 1) {
      const changed = Buffer.from(cms);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      try {
        assert.ok(!checksOf(changed, other).includes('right,right'), `byte ${at}`);
      } catch (error) {
        assert.ok(error instanceof NotCms, `byte ${at}: ${String(error)}`);
      }
    }
  });

  test('is refused when it is something else', () => {
    const deep = Buffer.concat(Array.from({ length: 100 }, () => Buffer.of(0x30, 0x80)));
    const cut = signers.ec.sign(manifest).subarray(0, -1);
    const long = Buffer.concat([signers.ec.sign(manifest), Buffer.of(0)]);
    const pem = Buffer.from('-----BEGIN PKCS7-----');
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.of(0x30),
      Buffer.of(0x30, 0x84, 255, 255, 255, 255),
      deep,
      cut,
      long,
      pem,
    ])
      assert.throws(() => readSignedData(bytes), NotCms);
  });
});
