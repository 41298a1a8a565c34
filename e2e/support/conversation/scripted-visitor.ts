import type { Ending } from './steps.ts';

/** The expected and the received text, in the same form. */
export type Received = { actual: string; expected: string };

/** The visitor of a conversation, in one protocol. Texts are those of HTTP/1.1 in all of them. */
export type ScriptedVisitor = {
  readonly scheme: 'http' | 'https';
  /** The head of its request as the service receives it. */
  fieldName(name: string): string;
  say(text: string): void;
  end(): void;
  leave(): void;
  receive(text: string): Promise<Received>;
  /** Takes a local response: its status, and whether the connection stays open. */
  receivePage(): Promise<{ status: number; goesOn: boolean } | undefined>;
  receiveEnding(): Promise<Ending | undefined>;
  /** The unexpected bytes. */
  readonly unread: string;
};
