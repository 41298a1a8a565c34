import { Alert } from 'antd';
import { useState } from 'react';
import { problemTexts } from '../../../text/devices/add-device.ts';
import { diagnosisText } from '../../../text/devices/diagnosis.ts';
import { adviceOf } from '../add-device/advice.ts';
import { useDeviceAttempts } from '../add-device/use-device-attempts.ts';

/** What the server remembers. */
const rememberedMs = 30 * 60_000;

/** Why the account's frpc were not let in lately. They cannot report it themselves. */
export function FrpcProblems() {
  const [sinceMs] = useState(() => performance.now() - rememberedMs);
  const attempts = useDeviceAttempts(sinceMs, true);
  const { problems } = adviceOf(
    (attempts.data ?? []).filter((attempt) => attempt.is_own),
    'frpc',
  );
  return problems.map((kind) => {
    const { title, text } = problemTexts[kind];
    return (
      <Alert
        key={kind}
        type="warning"
        showIcon
        role="alert"
        title={diagnosisText.frpcProblem(title)}
        description={text}
      />
    );
  });
}
