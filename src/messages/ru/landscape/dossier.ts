import type { AllSentences } from '../../areas.ts';
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
      `подписаны другие данные: подпишите опись или манифест этого расчёта в нынешнем виде и на запрошенном языке; их SHA-256 — ${sha256}`,
    notCounted: () =>
      'площади или баланс этого расчёта ещё вычисляются: дождитесь описи, подпишите её и отправьте подпись',
    notValidThen: (at, from, to) =>
      `по данным подписи она сделана ${at}, когда её сертификат не действовал: он действует с ${from} по ${to}`,
    wrongSignature: (subject) =>
      `подпись сделана не ключом из её сертификата, владелец которого — ${quoted(subject)}`,
  },
} satisfies Partial<AllSentences>;
