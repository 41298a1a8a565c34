/** A mail of plain text. `code` stands in the text, too; the development page shows it. */
type Mail = { to: string; subject: string; text: string; code?: string };

export type Mailer = {
  /** Resolves when the next server has taken it. Throws `mail.unavailable`. */
  send(mail: Mail): Promise<void>;
};
