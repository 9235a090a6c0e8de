// Written by `npm run console-types` from the schemas of the service.
export type Dossier = {
  readonly run_id: string;
  readonly manifest_sha256: string;
  readonly cogs: { readonly files: number; readonly bytes: number; readonly missing: readonly string[] };
  readonly inputs: { readonly files: number; readonly bytes: number; readonly missing: readonly string[] };
  readonly signatures: readonly DossierSignature[];
};

export type DossierSignature = {
  readonly revision: number;
  readonly sha256: string;
  readonly bytes: number;
  readonly over: 'inventory' | 'manifest';
  readonly language: 'en' | 'ru' | 'kk' | null;
  readonly signed_sha256: string;
  readonly manifest_sha256: string;
  readonly is_current: boolean;
  readonly is_in_force: boolean;
  readonly signers: readonly DossierSigner[];
  readonly added_by: string | null;
  readonly added_at: string;
};

export type DossierSigner = {
  readonly subject: string | null;
  readonly issuer: string;
  readonly serial: string;
  readonly valid_from: string | null;
  readonly valid_to: string | null;
  readonly signed_at: string | null;
  readonly validity: 'right' | 'wrong' | 'not_checked';
  readonly digest: 'right' | 'wrong' | 'not_checked';
  readonly signature: 'right' | 'wrong' | 'not_checked';
};
