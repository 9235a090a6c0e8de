import { createSpreadsheetSession } from './spreadsheet-session.ts';
import type { AnswerOf, Kind, Question, Reply } from './messages.ts';
import { SpreadsheetFault } from './model/types.ts';

const session = createSpreadsheetSession();

async function answer(question: Question): Promise<AnswerOf<Kind>> {
  switch (question.kind) {
    case 'open':
      return await session.open(question.request.file, question.request.name);
    case 'understand':
      return session.understand(question.request.sheet, question.request.choice);
    case 'rows':
      return session.rows(question.request.isWide, question.request.from, question.request);
    case 'places':
      return session.places(question.request.isWide);
    case 'pairs':
      return session.pairs(question.request.isWide);
    default:
      return await session.finish(question.request);
  }
}

async function reply(question: Question): Promise<Reply> {
  const { job } = question;
  try {
    return { job, answer: await answer(question) };
  } catch (error) {
    // Other errors are reported as faults of the file: memory ran out, or there is a defect here.
    const { code, where } = error instanceof SpreadsheetFault ? error : new SpreadsheetFault('damaged');
    return { job, fault: code, where };
  }
}

addEventListener(
  'message',
  ({ data }: MessageEvent<Question>) => void reply(data).then((said) => postMessage(said, { transfer: [] })),
);
