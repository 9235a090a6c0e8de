import type { AllSentences } from '../areas.ts';
import { listed, quoted } from './wording.ts';

export const dossier = {
  dossier: {
    notSucceeded: (status) =>
      `досье есть только у успешно завершённого расчёта; состояние этого расчёта — ${status}`,
    rastersGone: (groups) =>
      `в досье нельзя включить растры, потому что они удалены: ${listed(groups)}; запросите его без них`,
    noSignature: () => 'у досье этого расчёта нет подписи',
    notCms: () =>
      'тело запроса не является подписью CMS: отправьте байты SignedData (RFC 5652) в DER или BER, а не PEM и не Base64',
    noSigner: () => 'в подписи не указан подписавший',
    otherBytes: (sha256) =>
      `подписаны другие данные: подпишите манифест этого расчёта в его нынешнем виде, его SHA-256 — ${sha256}`,
    wrongSignature: (subject) =>
      `подпись сделана не ключом из её сертификата, владелец которого — ${quoted(subject)}`,
  },
} satisfies Partial<AllSentences>;
