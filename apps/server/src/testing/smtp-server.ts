import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

type ReceivedMail = { from: string; to: string[]; data: string };

export type SmtpServer = AsyncDisposable & { port: number; received: ReceivedMail[]; commands: string[] };

export type SmtpBehaviour = {
  /** The login that is required to send. Without it everybody may send. */
  user?: { name: string; password: string };
  /** The answer to RCPT, for example `550 no such user`. */
  recipientAnswer?: string;
  /** An address of 127.0.0.0/8. */
  host?: string;
  /** Accepts connections but sends no greeting. */
  isSilent?: boolean;
};

/** Starts a mail server (RFC 5321, AUTH PLAIN of RFC 4954) that stores the mails it accepts. */
export async function startSmtpServer(behaviour: SmtpBehaviour = {}): Promise<SmtpServer> {
  const received: ReceivedMail[] = [];
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    if (behaviour.isSilent) return;
    const session = new SmtpSession(behaviour, received);
    socket.write('220 localhost ESMTP\r\n');
    createInterface({ input: socket, crlfDelay: Infinity }).on('line', (line) => {
      if (!session.isReading) commands.push(line);
      const answer = session.handleLine(line);
      if (answer !== undefined) socket.write(`${answer}\r\n`);
      if (session.isOver) socket.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, behaviour.host ?? '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    received,
    commands,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

class SmtpSession {
  isReading = false;
  isOver = false;
  readonly #behaviour: SmtpBehaviour;
  readonly #received: ReceivedMail[];
  #isAuthenticated: boolean;
  #mail: ReceivedMail = { from: '', to: [], data: '' };

  constructor(behaviour: SmtpBehaviour, received: ReceivedMail[]) {
    this.#behaviour = behaviour;
    this.#received = received;
    this.#isAuthenticated = behaviour.user === undefined;
  }

  handleLine(line: string): string | undefined {
    if (this.isReading) return this.#readData(line);
    const [verb = ''] = line.toUpperCase().split(/[ :]/, 1);
    switch (verb) {
      case 'EHLO':
        return this.#behaviour.user ? '250-localhost\r\n250 AUTH PLAIN' : '250 localhost';
      case 'AUTH':
        return this.#authenticate(line);
      case 'MAIL':
        if (!this.#isAuthenticated) return '530 5.7.0 Authentication required';
        this.#mail = { from: addressIn(line), to: [], data: '' };
        return '250 OK';
      case 'RCPT':
        if (this.#behaviour.recipientAnswer !== undefined) return this.#behaviour.recipientAnswer;
        this.#mail.to.push(addressIn(line));
        return '250 OK';
      case 'DATA':
        this.isReading = true;
        return '354 go ahead';
      case 'QUIT':
        this.isOver = true;
        return '221 bye';
      default:
        return '502 not here';
    }
  }

  #authenticate(line: string): string {
    const { user } = this.#behaviour;
    const given = Buffer.from(line.slice('AUTH PLAIN '.length), 'base64').toString();
    this.#isAuthenticated = user !== undefined && given === `\0${user.name}\0${user.password}`;
    return this.#isAuthenticated ? '235 2.7.0 OK' : '535 5.7.8 wrong';
  }

  #readData(line: string): string | undefined {
    if (line === '.') {
      this.isReading = false;
      this.#received.push(this.#mail);
      return '250 taken';
    }
    this.#mail.data += `${line.replace(/^\.\./, '.')}\n`;
    return undefined;
  }
}

function addressIn(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? '';
}
