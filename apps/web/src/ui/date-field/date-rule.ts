import { type DateKind, dateExamples, readDate } from './date-text.ts';
import { uiText } from '../ui-text.ts';

/** What is wrong with the text of a DateField; an empty one is none. */
export function dateRule(kind: DateKind) {
  return {
    async validator(_rule: unknown, text: string): Promise<void> {
      if (text === '') return;
      const { type } = readDate(kind, text);
      if (type === 'none') throw new Error(uiText.noSuchDate);
      if (type === 'unreadable') throw new Error(uiText.dateUnreadable(dateExamples[kind]));
    },
  };
}
