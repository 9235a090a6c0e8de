import type { AllSentences } from '../areas.ts';
import { listed, quoted } from './wording.ts';

export const dossier = {
  dossier: {
    notSucceeded: (status) =>
      `іс жинағы тек сәтті аяқталған есептеуде болады; бұл есептеудің күйі — ${status}`,
    rastersGone: (groups) =>
      `іс жинағына мына растрларды қосуға болмайды, себебі олар жойылған: ${listed(groups)}; оны растрларсыз сұраңыз`,
    noSignature: () => 'бұл есептеудің іс жинағында қолтаңба жоқ',
    notCms: () =>
      'сұраудың денесі CMS қолтаңбасы емес: PEM не Base64 емес, DER немесе BER түріндегі SignedData (RFC 5652) байттарын жіберіңіз',
    noSigner: () => 'қолтаңбада қол қойған адам көрсетілмеген',
    otherBytes: (sha256) =>
      `басқа деректерге қол қойылған: осы есептеудің қазіргі манифестіне қол қойыңыз, оның SHA-256 мәні — ${sha256}`,
    wrongSignature: (subject) =>
      `қолтаңба өз сертификатының кілтімен қойылмаған, сертификат иесі — ${quoted(subject)}`,
  },
} satisfies Partial<AllSentences>;
