import { preferYoungCollections } from '@tongtu/base';
import packageFile from '../package.json' with { type: 'json' };
import { AgentError } from './events/agent-error.ts';
import type { AgentLog } from './events/agent-log.ts';
import { describeDiagnosis } from './cli/describe-diagnosis.ts';
import { describeEvent } from './cli/describe-event.ts';
import { handOver, passTrial, postponeTrial, RESTART_EXIT_CODE } from './cli/hand-over.ts';
import { collectDiagnosis } from './diagnosis/collect-diagnosis.ts';
import { helpText } from './cli/help-text.ts';
import { logLine } from './cli/log-line.ts';
import { type Arguments, readArguments } from './cli/read-arguments.ts';
import { EventHistory } from './events/event-history.ts';
import { giveBackMemory } from './give-back-memory.ts';
import { type RunningAgent, startAgent } from './start-agent.ts';

const STOP_WITHIN_MS = 5000;
/** From about 8 MB. The number of forwards limits how much memory is in use. */
const HEAP_GROWTH_PERCENT = 700;

const log: AgentLog = {
  info: (event) => writeLog(describeEvent(event)),
  warn: (event) => writeLog(describeEvent(event)),
};

async function main(): Promise<void> {
  const input = readArguments(process.argv.slice(2), process.env);
  if (input.type === 'run' && input.onlineWithinMs === undefined) {
    const history = new EventHistory(input.stateDir, () => new Date());
    const onRolledBack = (version: string) =>
      history.recording(log).warn({ event: 'upgrade-rolled-back', version }, 'back to the agent from before');
    const isRun = await handOver(input.stateDir, packageFile.version, onRolledBack);
    await history.flush();
    if (isRun) return;
  }
  // Child processes and crash reports must not see it. A restart with the state folder does not need it.
  delete process.env.TONGTU_TOKEN;
  switch (input.type) {
    case 'help':
      return void process.stdout.write(helpText);
    case 'version':
      return void process.stdout.write(`${packageFile.version}\n`);
    case 'diagnose':
      return await diagnose(input);
    case 'run':
      return await run(input);
  }
}

/** Prints what is known of this device's connection. An agent that is running is not disturbed. */
async function diagnose({ stateDir, serverUrl }: Extract<Arguments, { type: 'diagnose' }>): Promise<void> {
  const { version } = packageFile;
  process.stdout.write(describeDiagnosis(await collectDiagnosis({ stateDir, serverUrl, version, env: process.env })));
  process.exit(0);
}

async function run(input: Extract<Arguments, { type: 'run' }>): Promise<void> {
  preferYoungCollections({ heapGrowthPercent: HEAP_GROWTH_PERCENT });
  giveBackMemory();
  const { type: _, onlineWithinMs, ...config } = input;
  // Something must start it again; the starter of the install script does, and says so.
  const isSupervised = process.env['TONGTU_SUPERVISED'] === '1';
  let exitCode = 0;
  const restart = () => {
    exitCode = RESTART_EXIT_CODE;
    writeLog('已换上新版本的客户端，正在重新启动');
    void agent[Symbol.asyncDispose]();
  };
  const settings = { ...config, env: process.env, version: packageFile.version, ...(isSupervised ? { restart } : {}) };
  const agent = await startAgent(settings, log);
  void agent.whenOnline().then(
    () => passTrial(config.stateDir),
    () => {},
  ); // `finished` reports why it ended
  let isStopping = false;
  const stop = () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    void postponeTrial(config.stateDir)
      .catch(() => {}) // the folder is full: the next start takes the agent from before
      .then(async () => await agent[Symbol.asyncDispose]());
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  if (onlineWithinMs !== undefined) await endOnceOnline(agent, onlineWithinMs);
  const outcome = await agent.finished;
  if (outcome.type === 'failed') throw outcome.error;
  writeLog('已停止');
  process.exit(exitCode);
}

/** For the install script: the device is enrolled and the way to the relay is open, so a service can be started. */
async function endOnceOnline(agent: RunningAgent, withinMs: number): Promise<void> {
  const timer = setTimeout(() => fail(new AgentError('online.too-late')), withinMs);
  await agent.whenOnline().catch(() => {}); // `finished` reports why it ended
  clearTimeout(timer);
  await agent[Symbol.asyncDispose]();
}

function fail(error: unknown): void {
  if (!(error instanceof AgentError)) {
    process.stderr.write(logLine(`客户端出错了：${error instanceof Error ? error.stack : String(error)}`, new Date()));
    process.exit(1);
  }
  // The person who typed it reads about wrong usage at once. Other errors may be read in a log, so they have a time.
  if (error.exitCode === 2) process.stderr.write(`${error.message}\n查看全部用法：--help\n`);
  else process.stderr.write(logLine(error.message, new Date()));
  process.exit(error.exitCode);
}

function writeLog(text: string): void {
  process.stdout.write(logLine(text, new Date()));
}

main().catch(fail);
