import { fieldErrors } from '../../../api/index.ts';
import { allowListText } from '../../../text/devices/mappings.ts';
import type { AllowListLine } from './read-allow-list.ts';

/** The server's messages, each with the line of its entry; empty when the error is not about an entry. */
export function allowListMessages(error: unknown, lines: readonly AllowListLine[]): string[] {
  return Object.entries(fieldErrors(error)).flatMap(([field, messages]) => {
    if (field === 'allow_list') return messages;
    const index = /^allow_list\.(\d+)$/.exec(field)?.[1];
    const line = index === undefined ? undefined : lines[Number(index)];
    return line ? messages.map((message) => allowListText.line(line.line, line.entry, message)) : [];
  });
}
