import { createDesk } from './spreadsheet-session.ts';
import type { AnswerOf, Kind, Question, Reply } from './messages.ts';
import { SpreadsheetFault } from './model/types.ts';

const desk = createDesk();

async function answer(question: Question): Promise<AnswerOf<Kind>> {
  switch (question.kind) {
    case 'open':
      return await desk.open(question.request.file, question.request.name);
    case 'understand':
      return desk.understand(question.request.sheet, question.request.choice);
    case 'rows':
      return desk.rows(question.request.isWide, question.request.from, question.request);
    case 'places':
      return desk.places(question.request.isWide);
    case 'pairs':
      return desk.pairs(question.request.isWide);
    default:
      return await desk.finish(question.request);
  }
}

async function reply(question: Question): Promise<Reply> {
  const { job } = question;
  try {
    return { job, answer: await answer(question) };
  } catch (error) {
    // Anything else is a fault of the file all the same: memory did not suffice, or there is a defect here.
    const { code, where } = error instanceof SpreadsheetFault ? error : new SpreadsheetFault('damaged');
    return { job, fault: code, where };
  }
}

addEventListener(
  'message',
  ({ data }: MessageEvent<Question>) => void reply(data).then((said) => postMessage(said, { transfer: [] })),
);
