import type { TerminalFromGateway } from '@tongtu/contract';
import { Button, Form, Input } from 'antd';
import { terminalText } from '../../../text/cloud-apps/terminal.ts';
import { plainName } from '../../../text/devices/names.ts';
import connectingStyles from '../connecting/connecting.module.css';
import styles from './terminal.module.css';

export type Prompts = Extract<TerminalFromGateway, { type: 'prompts' }>;
const maxAnswerLength = 1_000;

/** Questions of the target itself, such as a one-time code. Its texts are shown as they are, and named as its own. */
export function PromptsForm({ prompts, onSubmit }: { prompts: Prompts; onSubmit: (answers: string[]) => void }) {
  const { title, text } = prompts;
  return (
    <section className={connectingStyles.panel} aria-label={terminalText.promptsTitle}>
      <h2>{terminalText.promptsTitle}</h2>
      {title + text !== '' && (
        <div className={styles.fromTarget}>
          <p className={connectingStyles.panelNote}>{terminalText.promptsFrom}</p>
          <bdi>{plainName(title)}</bdi>
          <p>{plainName(text)}</p>
        </div>
      )}
      <Form<{ answers?: string[] }>
        layout="vertical"
        requiredMark={false}
        autoComplete="off"
        initialValues={{ answers: prompts.prompts.map(() => '') }}
        onFinish={({ answers = [] }) => onSubmit(answers)}
      >
        {prompts.prompts.map((prompt, index) => (
          <Form.Item
            key={index}
            name={['answers', index]}
            label={plainName(prompt.text).trim() || terminalText.unnamedPrompt(index + 1)}
          >
            {prompt.echo ? (
              <Input autoFocus={index === 0} maxLength={maxAnswerLength} autoComplete="off" autoCapitalize="none" />
            ) : (
              <Input.Password autoFocus={index === 0} maxLength={maxAnswerLength} autoComplete="one-time-code" />
            )}
          </Form.Item>
        ))}
        <Button type="primary" htmlType="submit" block>
          {terminalText.answer}
        </Button>
      </Form>
    </section>
  );
}
