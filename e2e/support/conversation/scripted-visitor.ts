import type { Ending } from './steps.ts';

/** The expected and the received text, in the same form. */
export type Heard = { actual: string; expected: string };

/** The visitor of a conversation, in one protocol. Texts are those of HTTP/1.1 in all of them. */
export type ScriptedVisitor = {
  readonly scheme: 'http' | 'https';
  /** The head of its request as the service receives it. */
  fieldName(name: string): string;
  say(text: string): void;
  end(): void;
  leave(): void;
  hear(text: string): Promise<Heard>;
  /** Takes a local response: its status, and whether the connection stays open. */
  hearPage(): Promise<{ status: number; goesOn: boolean } | undefined>;
  hearEnding(): Promise<Ending | undefined>;
  /** The unexpected bytes. */
  readonly unread: string;
};
