import { Terminal } from '@xterm/xterm';
import { expect, test } from 'vitest';
import { BusyProgram } from './busy-program.ts';

function open() {
  const terminal = new Terminal({ allowProposedApi: true });
  const program = new BusyProgram(terminal);
  const show = async (text: string) => await new Promise<void>((resolve) => terminal.write(text, resolve));
  return { program, show };
}

test('nothing runs before the first command, nor at a prompt, also with a command half typed', async () => {
  const { program, show } = open();
  await show('Welcome\r\n');
  expect(program.isBusy).toBe(false);
  await show('root@nas:~# ');
  program.noticeInput('l');
  await show('l');
  expect(program.isBusy).toBe(false);
  program.noticeInput('\r');
  await show('\r\nfile\r\nroot@nas:~# ');
  expect(program.isBusy).toBe(false);
});

test.each(['root@nas:~# ', 'lilei@pc:/srv$ ', 'Router>', 'switch(config)#', '% ', '❯ ', 'nas login: ', 'Password: '])(
  'a command runs until %j returns',
  async (prompt) => {
    const { program, show } = open();
    await show(prompt);
    program.noticeInput('make\r');
    await show('make\r\ncompiling…\r\n');
    expect(program.isBusy).toBe(true);
    program.noticeInput('x');
    expect(program.isBusy).toBe(true);
    await show(prompt);
    expect(program.isBusy).toBe(false);
  },
);

test('a program that shows how far it is runs', async () => {
  const { program, show } = open();
  await show('nas# ');
  program.noticeInput('fetch\r');
  await show('fetch\r\nimage 45% ');
  expect(program.isBusy).toBe(true);
});

test('an editor runs, also where the cursor stands behind a sign of a prompt', async () => {
  const { program, show } = open();
  await show('\u001B[?1049h# ');
  expect(program.isBusy).toBe(true);
  await show('\u001B[?1049l$ ');
  expect(program.isBusy).toBe(false);
});

test('a prompt of any look is known by its bracketed paste mode, or by marks of the shell', async () => {
  const { program, show } = open();
  program.noticeInput('make\r');
  await show('prompt of mine ');
  expect(program.isBusy).toBe(true);
  await show('\u001B[?2004h');
  expect(program.isBusy).toBe(false);
  await show('\u001B[?2004l\u001B]133;C\u0007');
  expect(program.isBusy).toBe(true);
  await show('\u001B]133;D;0\u0007\u001B]133;A\u0007');
  expect(program.isBusy).toBe(false);
});
