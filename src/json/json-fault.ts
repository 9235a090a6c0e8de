import type { Message } from '../lib/message.ts';
import { jsonFaults } from '../messages/json.ts';

/** A fault of a JSON text, and its byte. */
export class JsonFault extends Error {
  override readonly name: string = 'JsonFault';
  readonly what: Message;
  readonly offset: number;

  constructor(what: Message, offset: number) {
    super(what.english);
    this.what = what;
    this.offset = offset;
  }
}

/** A byte that stands in no text in UTF-8. */
export class NotUtf8 extends JsonFault {
  override readonly name = 'NotUtf8';

  constructor(offset: number) {
    super(jsonFaults.notUtf8, offset);
  }
}

/** The text is JSON, but more of it than is read here. */
export class JsonLimit extends JsonFault {
  override readonly name = 'JsonLimit';
}
