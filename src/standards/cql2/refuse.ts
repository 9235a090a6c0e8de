import type { Message } from '../../lib/message.ts';
import { requestProblems } from '../../messages/request/english.ts';

/** Refuses a filter. @throws {Problem} `malformed` always, naming the parameter `filter` */
export function refuseFilter(fault: Message): never {
  throw requestProblems.wrongParameters({ filter: fault });
}
