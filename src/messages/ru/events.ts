import type { AllSentences } from '../areas.ts';

export const events = {
  event: {
    tooManyListeners: () => 'события принимает слишком много клиентов; повторите позже',
  },
  event_fault: {
    notAnEvent: 'должно быть идентификатором события',
    notAPlace: 'должно быть идентификатором события или 0, чтобы получить все сохранённые события',
    notTypes: (types) => `должно содержать значения из списка: ${types.join(', ')}, через запятую`,
  },
  webhook: {
    notFound: () => 'такого вебхука нет',
    tooMany: (most) => `вебхуков уже ${most}; удалите ненужный`,
    tooManySecrets: (most) =>
      `сообщения этого вебхука уже подписываются прежними секретами, их ${most}; keep_hours 0 прекращает их действие`,
    testsWait: (count) => `отправки ожидают проверочные сообщения этого вебхука: ${count}`,
    nothingToChange: (fields) => `в теле запроса должно быть хотя бы одно из полей ${fields.join(', ')}`,
  },
  webhook_fault: {
    notUrl:
      'должно быть адресом https без имени пользователя, пароля и фрагмента, не длиннее 2000 символов, например https://maps.example/hooks',
    privateUrl:
      'должно быть адресом https, который не ведёт в частную сеть; разрешить сети можно в WEBHOOK_ALLOWED_NETWORKS',
  },
} satisfies Partial<AllSentences>;
