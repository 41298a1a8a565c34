import type { Ending } from './steps.ts';

/** A text that was to come, and what came instead of it, in the same form. */
export type Heard = { actual: string; expected: string };

/** The visitor of a conversation, in one protocol. Texts are those of HTTP/1.1 in all of them. */
export type ScriptedVisitor = {
  readonly scheme: 'http' | 'https';
  /** How the request that it says is written in the head that the service gets. */
  fieldName(name: string): string;
  say(text: string): void;
  end(): void;
  leave(): void;
  hear(text: string): Promise<Heard>;
  /** The next answer is one of the relay's own: its status, and whether it says that the connection goes on. */
  hearPage(): Promise<{ status: number; goesOn: boolean } | undefined>;
  hearEnding(): Promise<Ending | undefined>;
  /** What came and was not expected. */
  readonly unread: string;
};
