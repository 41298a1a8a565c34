import type { ReactNode } from 'react';
import { boxText } from '../../../text/devices/add-device.ts';
import { drawingText } from '../../../text/devices/add-device-drawings.ts';
import styles from './drawings.module.css';

type DrawingProps = { label: string; height: number; children: ReactNode };

/** A drawn part of another program's window. Numbers show where to click, in order. */
function Drawing({ label, height, children }: DrawingProps) {
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 340 ${height}`} className={styles.drawing}>
      <rect x="0.5" y="0.5" width="339" height={height - 1} rx="8" className={styles.window} />
      <path d={`M0.5 28.5h339`} className={styles.line} />
      {[14, 26, 38].map((x) => (
        <circle key={x} cx={x} cy="14.5" r="3.5" className={styles.knob} />
      ))}
      {children}
    </svg>
  );
}

function Label({ x, y, children, isFaint = false }: { x: number; y: number; children: string; isFaint?: boolean }) {
  return (
    <text x={x} y={y} className={isFaint ? styles.faint : styles.text}>
      {children}
    </text>
  );
}

function Click({ x, y, at }: { x: number; y: number; at: number }) {
  return (
    <g>
      <circle cx={x} cy={y} r="9" className={styles.click} />
      <text x={x} y={y + 4} textAnchor="middle" className={styles.number}>
        {at}
      </text>
    </g>
  );
}

function Box({
  x,
  y,
  width,
  height,
  isStrong = false,
}: Record<'x' | 'y' | 'width' | 'height', number> & { isStrong?: boolean }) {
  return <rect x={x} y={y} width={width} height={height} rx="4" className={isStrong ? styles.strong : styles.field} />;
}

/** Lines of text that stand for what was copied. */
function Pasted({ x, y, widths }: { x: number; y: number; widths: readonly number[] }) {
  return widths.map((width, at) => (
    <rect key={width} x={x} y={y + at * 16} width={width} height={8} rx="4" className={styles.pasted} />
  ));
}

export function SynologyDrawing() {
  const text = drawingText.synology;
  return (
    <Drawing label={boxText.synology.drawing} height={236}>
      <Label x={52} y={19}>
        {text.title}
      </Label>
      <Box x={12} y={38} width={60} height={24} isStrong />
      <Label x={26} y={55}>
        {text.create}
      </Label>
      <Click x={72} y={38} at={1} />
      <Box x={12} y={66} width={112} height={24} />
      <Label x={20} y={83}>
        {text.triggered}
      </Label>
      <Click x={124} y={66} at={2} />
      <Box x={130} y={66} width={140} height={24} isStrong />
      <Label x={140} y={83}>
        {text.script}
      </Label>
      <Click x={270} y={66} at={3} />
      <path d="M12 102.5h316" className={styles.line} />
      <Label x={12} y={124} isFaint>
        {text.user}
      </Label>
      <Box x={84} y={108} width={110} height={24} />
      <Label x={94} y={125}>
        root
      </Label>
      <Click x={194} y={108} at={4} />
      <Label x={12} y={156} isFaint>
        {text.command}
      </Label>
      <Box x={84} y={142} width={244} height={52} />
      <Pasted x={94} y={152} widths={[170, 120]} />
      <Click x={328} y={142} at={5} />
      <Box x={264} y={202} width={64} height={24} isStrong />
      <Label x={282} y={219}>
        {text.ok}
      </Label>
      <Click x={264} y={202} at={6} />
    </Drawing>
  );
}

export function QnapDrawing() {
  const text = drawingText.qnap;
  return (
    <Drawing label={boxText.qnap.drawing} height={186}>
      <Label x={52} y={19}>
        Container Station
      </Label>
      <path d="M92.5 28v158" className={styles.line} />
      <Label x={14} y={54} isFaint>
        {text.overview}
      </Label>
      <Label x={14} y={80} isFaint>
        {text.containers}
      </Label>
      <Box x={6} y={90} width={80} height={24} isStrong />
      <Label x={14} y={107}>
        {text.applications}
      </Label>
      <Click x={84} y={90} at={1} />
      <Box x={264} y={38} width={64} height={24} isStrong />
      <Label x={282} y={55}>
        {text.create}
      </Label>
      <Click x={264} y={38} at={2} />
      <Label x={104} y={84} isFaint>
        YAML
      </Label>
      <Box x={104} y={92} width={224} height={80} />
      <Pasted x={114} y={104} widths={[70, 110, 150, 90]} />
      <Click x={328} y={92} at={3} />
    </Drawing>
  );
}

export function WindowsDrawing() {
  const text = drawingText.windows;
  return (
    <Drawing label={boxText.windows.drawing} height={168}>
      <Box x={40} y={38} width={150} height={86} />
      <Label x={52} y={58} isFaint>
        {text.devices}
      </Label>
      <Label x={52} y={80} isFaint>
        {text.terminal}
      </Label>
      <Box x={44} y={90} width={142} height={26} isStrong />
      <Label x={52} y={108}>
        {text.admin}
      </Label>
      <Click x={186} y={90} at={2} />
      <path d="M0.5 136.5h339" className={styles.line} />
      <g className={styles.logo}>
        <rect x="14" y="144" width="8" height="8" />
        <rect x="24" y="144" width="8" height="8" />
        <rect x="14" y="154" width="8" height="8" />
        <rect x="24" y="154" width="8" height="8" />
      </g>
      <Click x={44} y={153} at={1} />
      <Label x={58} y={157} isFaint>
        {text.rightClick}
      </Label>
    </Drawing>
  );
}
