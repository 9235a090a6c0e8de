import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { FileLink } from '../../../parts/file-link.tsx';
import { Failure } from '../../../parts/loading.tsx';
import { type Refused, refusedOf, fetchFromService, refusalOf } from '../../../service/fetch.ts';
import { may } from '../../../service/capabilities.ts';
import { formatMoment } from '../../../../../common/formats/days.ts';
import { language } from '../../../words/words.ts';
import { dossierWords, runsWords } from '../words/words.ts';
import type { DossierSignature, DossierSigner } from '../../../service/types.ts';
import { pathTo } from '../../../service/request.ts';

/** Larger files are not signatures; the service has the same limit. */
const maxSignatureBytes = 256 * 1024;

interface SignaturesProps {
  readonly runId: string;
  /** Newest first. */
  readonly signatures: readonly DossierSignature[];
  readonly onStored: () => void;
}

/** The current signature and the earlier ones, and a form to store another one. */
export function Signatures({ runId, signatures, onStored }: SignaturesProps) {
  const { signature: text } = dossierWords();
  return (
    <>
      {signatures.length === 0 ? (
        <p>{text.none}</p>
      ) : (
        <ol class="history" reversed>
          {signatures.map((each) => (
            <li key={each.revision}>
              <p class="small muted">
                {[
                  each.is_in_force ? text.inForce : text.notInForce,
                  formatMoment(each.added_at, language()),
                  ...(each.added_by === null ? [] : [runsWords().record.by(each.added_by)]),
                ].join(' · ')}
              </p>
              <p class={each.over === 'inventory' ? 'small' : 'needs'}>{text.over[each.over]}</p>
              {!each.is_current && <p class="needs">{text.older}</p>}
              {each.signers.map((signer) => (
                <Signer key={signer.serial} signer={signer} />
              ))}
            </li>
          ))}
        </ol>
      )}
      <div class="actions">
        {signatures.length > 0 && (
          <FileLink
            file={{ label: text.download, path: `.${pathOfSignature(runId)}`, name: 'signature.p7s' }}
          />
        )}
        {may('landscape:run') && <Store runId={runId} onStored={onStored} />}
      </div>
    </>
  );
}

/** The signer that the signature states, and the result of the service's checks. */
function Signer({ signer }: { readonly signer: DossierSigner }) {
  const { signature: text } = dossierWords();
  const { subject, issuer, serial, signed_at: signedAt, valid_from: validFrom, valid_to: validTo } = signer;
  const facts: readonly (readonly [string, string])[] = [
    [text.subject, subject ?? text.unknown],
    [text.issuer, issuer],
    [text.serial, serial],
    ...(signedAt === null ? [] : [[text.signedAt, formatMoment(signedAt, language())] as const]),
    ...(validFrom === null || validTo === null ? [] : [[text.valid, spanOf(validFrom, validTo)] as const]),
    [text.checked, stateOf(signer)],
  ];
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const spanOf = (from: string, to: string): string =>
  `${formatMoment(from, language())} – ${formatMoment(to, language())}`;

function stateOf({ digest, signature }: DossierSigner): string {
  const { states } = dossierWords().signature;
  if (digest === 'wrong' || signature === 'wrong') return states.wrong;
  if (digest === 'right') return signature === 'right' ? states.right : states.digestOnly;
  return states.notVerified;
}

function Store({ runId, onStored }: Pick<SignaturesProps, 'runId' | 'onStored'>) {
  const { signature: text } = dossierWords();
  const input = useRef<HTMLInputElement>(null);
  const isSending = useSignal(false);
  const refused = useSignal<Refused | undefined>(undefined);
  const tooLarge = useSignal(false);
  const last = useRef<File>(undefined);
  const store = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    last.current = file;
    refused.value = undefined;
    tooLarge.value = file.size > 2 * maxSignatureBytes;
    if (tooLarge.value) return;
    isSending.value = true;
    try {
      await putSignature(runId, file, language());
      onStored();
    } catch (error) {
      refused.value = refusedOf(error);
    } finally {
      isSending.value = false;
    }
  };
  return (
    <>
      <button type="button" class="button" disabled={isSending.value} onClick={() => input.current?.click()}>
        ↑ {text.choose}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        tabIndex={-1}
        accept=".p7s,.cms,.sig,.p7b,.pem,.der"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          void store(file);
          currentTarget.value = '';
        }}
      />
      <p role="status" class="muted">
        {isSending.value && text.sending}
      </p>
      {tooLarge.value && (
        <p class="wrong" role="alert">
          {text.tooLarge}
        </p>
      )}
      {refused.value !== undefined && (
        <Failure failure={refused.value} title={text.failed} retry={() => void store(last.current)} />
      )}
    </>
  );
}

const pathOfSignature = (id: string): string =>
  pathTo('/landscape/runs/{id}/dossier/signature', { path: { id } });

/** Stores a signature over the inventory in a language. @throws {Refused} with 422 if it signs other bytes */
async function putSignature(id: string, file: File, language: string): Promise<void> {
  const init = {
    method: 'PUT',
    headers: { 'content-type': 'application/pkcs7-signature' },
    body: await bytesOf(file),
  };
  await fetchFromService(`${pathOfSignature(id)}?over=inventory&lang=${language}`, init, async (response) => {
    if (!response.ok) throw await refusalOf(response, 'PUT');
  });
}

/** The bytes of a signature, which signing programs also save as Base64, with or without PEM lines. */
async function bytesOf(file: File): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = new TextDecoder().decode(bytes).replace(/-----[A-Z0-9 ]+-----/g, '');
  if (!/^[A-Za-z0-9+/=\s]+$/.test(text)) return bytes;
  try {
    return Uint8Array.from(atob(text.replace(/\s/g, '')), (letter) => letter.charCodeAt(0));
  } catch {
    return bytes;
  }
}
