import assert from 'node:assert/strict';
import type { ServiceConnection } from './recording-service.ts';
import type { ScriptedVisitor } from './scripted-visitor.ts';
import { PREFIXES, type Protocol, type Stage } from './stage.ts';
import type { EdgeCase, Step } from './steps.ts';

/** The relay always writes these in the same way. */
const OWN_NAME = /^(?:Host|Content-Length|Transfer-Encoding|CDN-Loop|Forwarded|X-Forwarded-.*|X-Real-IP|Connection)$/;

/** Plays a conversation through the product. Throws at the first unexpected byte. */
export async function play(stage: Stage, protocol: Protocol, { host, steps }: EdgeCase): Promise<void> {
  const visitor = await stage.connect(protocol, PREFIXES[host ?? 'first']);
  let leftOver: string[];
  try {
    const scene = new Scene(stage, visitor);
    for (const [at, step] of steps.entries()) await scene.play(step, `step ${at + 1}, ${step.type}`);
    assert.equal(visitor.unread, '', 'unexpected at the visitor');
  } finally {
    visitor.leave();
    leftOver = await stage.settle();
  }
  assert.deepEqual(leftOver, [], 'unexpected at a service');
}

class Scene {
  readonly #stage: Stage;
  readonly #visitor: ScriptedVisitor;
  #connection: ServiceConnection | undefined;

  constructor(stage: Stage, visitor: ScriptedVisitor) {
    this.#stage = stage;
    this.#visitor = visitor;
  }

  async play(step: Step, where: string): Promise<void> {
    const visitor = this.#visitor;
    switch (step.type) {
      case 'visitor says':
        return visitor.say(this.#stage.fill(step.text, visitor));
      case 'visitor ends':
        return visitor.end();
      case 'visitor leaves':
        return visitor.leave();
      case 'service gets':
        return await this.#expectArrival(step, where);
      case 'service says':
        return this.#service.say(this.#stage.fill(step.text, visitor));
      case 'service ends':
        return this.#service.end(step.ending);
      case 'service sees':
        return assert.equal(await this.#service.received.untilEnding(), step.ending, where);
      case 'visitor gets': {
        const { actual, expected } = await visitor.receive(this.#stage.fill(step.text, visitor));
        return assert.equal(actual, expected, where);
      }
      case 'visitor gets a page':
        return await this.#expectPage(step, where);
      case 'visitor sees':
        return assert.equal(await visitor.receiveEnding(), step.ending, where);
    }
  }

  get #service(): ServiceConnection {
    if (this.#connection === undefined) throw new Error('nothing has arrived at a service yet');
    return this.#connection;
  }

  async #expectArrival(step: Extract<Step, { type: 'service gets' }>, where: string): Promise<void> {
    this.#connection = await this.#stage.services[step.service].whereSomethingArrives();
    const text = this.#stage.fill(step.text, this.#visitor);
    const { actual, expected } = await this.#connection.received.take(inSpellingOf(this.#visitor, text));
    assert.equal(actual, expected, where);
  }

  async #expectPage(step: Extract<Step, { type: 'visitor gets a page' }>, where: string): Promise<void> {
    const page = await this.#visitor.receivePage();
    const goesOn = this.#visitor.scheme === 'https' ? true : step.goesOn;
    assert.deepEqual(page, { status: step.status, goesOn }, where);
  }
}

/** Field names as the visitor's protocol spells them; bodies and what the relay adds stay as they are. */
function inSpellingOf(visitor: ScriptedVisitor, text: string): string {
  const end = text.indexOf('\r\n\r\n');
  const [line = '', ...fields] = text.slice(0, end).split('\r\n');
  if (!line.endsWith(' HTTP/1.1')) return text;
  const spelled = fields.map((field) => {
    const name = field.slice(0, field.indexOf(':'));
    return `${OWN_NAME.test(name) ? name : visitor.fieldName(name)}${field.slice(name.length)}`;
  });
  return [line, ...spelled].join('\r\n') + text.slice(end);
}
