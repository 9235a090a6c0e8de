import type { AllSentences } from '../areas.ts';

export const events = {
  event: {
    tooManyListeners: () => 'оқиғаларды тыңдап отырған клиенттер тым көп; кейінірек қайталаңыз',
  },
  event_fault: {
    notAnEvent: 'оқиғаның идентификаторы болуы керек',
    notAPlace: 'оқиғаның идентификаторы немесе сақталған барлық оқиғаларды алу үшін 0 болуы керек',
    notTypes: (types) => `мына мәндерден үтірмен бөлініп тұруы керек: ${types.join(', ')}`,
  },
  webhook: {
    notFound: () => 'мұндай вебхук жоқ',
    tooMany: (most) => `вебхуктар саны ${most} болды; қажет емесін жойыңыз`,
    tooManySecrets: (most) =>
      `бұл вебхуктың хабарламаларына бұрынғы құпия кілттермен қол қойылып жатыр, олардың саны — ${most}; keep_hours 0 олардың қолданылуын тоқтатады`,
    testsWait: (count) => `бұл вебхуктың жіберілуін күтіп тұрған тексеру хабарламалары: ${count}`,
    nothingToChange: (fields) =>
      `сұрау денесінде мына өрістердің кемінде біреуі болуы керек: ${fields.join(', ')}`,
  },
  webhook_fault: {
    notUrl:
      'пайдаланушы аты, құпиясөзі және фрагменті жоқ, 2000 таңбадан аспайтын https мекенжайы болуы керек, мысалы https://maps.example/hooks',
    privateUrl:
      'жеке желіге апармайтын https мекенжайы болуы керек; желілерге WEBHOOK_ALLOWED_NETWORKS арқылы рұқсат беруге болады',
  },
} satisfies Partial<AllSentences>;
