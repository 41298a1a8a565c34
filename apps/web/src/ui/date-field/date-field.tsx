import { DatePicker } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { type ComponentProps, type KeyboardEvent, type MouseEvent, type ReactNode, useMemo, useState } from 'react';
import styles from './date-field.module.css';
import { dateExamples, dateFormats, type DateKind, readDate, normalizeDate, writeDate } from './date-text.ts';
import { minuteStep, moveByKey } from './move-by-key.ts';
import { TypedInput, TypingContext } from './typed-input.tsx';
import { clearable } from '../fields/field-icons.tsx';
import { uiText } from '../ui-text.ts';

const components = { input: TypedInput };

/** Empty labels: antd's own labels hide the buttons' text, such as 2026年, from screen readers. */
const locale = { lang: { yearSelect: '', monthSelect: '' } } as NonNullable<
  ComponentProps<typeof DatePicker>['locale']
>; // merged into the locale

/** Makes scrollable columns reachable by keyboard (WCAG 2.1.1); antd has no option for it. */
function makeFocusable(panel: HTMLElement | null): void {
  for (const column of panel?.querySelectorAll('ul') ?? []) {
    column.tabIndex = 0;
    column.ariaLabel = column.dataset['type'] === 'hour' ? uiText.hours : uiText.minutes;
  }
}

/** Keeps the focus in the field, so that the keyboard and a dialog's focus trap continue to work. */
function preventBlur(event: MouseEvent): void {
  event.preventDefault();
}

function renderPanel(panel: ReactNode) {
  return (
    // A new function each time, so that React calls it for columns that were added since.
    <div role="presentation" ref={(element) => makeFocusable(element)} onMouseDown={preventBlur}>
      {panel}
    </div>
  );
}

const overflow = { adjustY: true, shiftX: true, shiftY: true };
/**
 * Opens below or above the field, wholly on the screen, even if it covers the field. It has no offsets, because antd
 * adds them last and would push it off the screen; the style sheet sets the distance.
 */
const placements = {
  bottomLeft: { points: ['tl', 'bl'], overflow },
  topLeft: { points: ['bl', 'tl'], overflow },
};

/** The time of a picked day until the user picks a time. */
const midnight = dayjs().startOf('day');
const kindProps = {
  date: {},
  datetime: { showTime: { format: dateFormats.time, defaultOpenValue: midnight } },
  time: { picker: 'time', minuteStep, showNow: false, needConfirm: false },
} as const;

/**
 * A new list each time. Antd compares by identity and then discards its own pick; otherwise the same date could not be
 * picked again. Antd's type allows lists only with `multiple`.
 */
function asFreshList(shown: Dayjs | null): Dayjs {
  return (shown ? [shown] : []) as unknown as Dayjs;
}

type Panel = NonNullable<ComponentProps<typeof DatePicker>['mode']>;
/** The panel in which the date or time is picked. The other panels lead to it. */
const panels = { date: 'date', datetime: 'date', time: 'time' } as const satisfies Record<DateKind, Panel>;

type DateFieldProps = {
  kind: DateKind;
  /** The typed text. A readable date is rewritten by `dateFormats`. */
  value?: string;
  /** Called when the text is complete: on blur, on Enter, or when a day is picked. */
  onChange?: (text: string) => void;
  allowClear?: boolean;
  id?: string;
  placeholder?: string;
  className?: string;
  'aria-label'?: string;
};

/**
 * A date or time in Chinese, whatever the browser's language. The user types it, picks it from a calendar or changes it
 * with the arrow keys. Use it with `dateRule`, in a chunk of its own: the calendar is large.
 */
export function DateField({
  kind,
  value = '',
  onChange,
  allowClear = true,
  className,
  ...given
}: DateFieldProps): ReactNode {
  const [draft, setDraft] = useState<string>();
  const [isOpen, setIsOpen] = useState(false);
  /** The month that the user navigated to; without one, that of the date. */
  const [page, setPage] = useState<Dayjs>();
  const [panel, setPanel] = useState<Panel>(panels[kind]);
  const text = draft ?? value;
  const shown = useMemo(() => {
    const read = readDate(kind, text);
    return read.type === 'read' ? dayjs(read.date) : null;
  }, [kind, text]);

  function show(open: boolean) {
    if (open && !isOpen) {
      setPage(undefined);
      setPanel(panels[kind]);
    }
    setIsOpen(open);
  }
  function type(typed: string) {
    setPage(undefined);
    setDraft(typed);
  }
  function commit(done: string) {
    setPage(undefined);
    setDraft(undefined);
    onChange?.(done);
  }
  function settle() {
    if (draft !== undefined) commit(normalizeDate(kind, draft));
  }
  // antd's type includes arrays and omits null, which it passes when the field is cleared.
  function pick(picked: Dayjs | Dayjs[] | null) {
    // Antd passes a date for a picked month or year, which only changes the panel.
    if (panel !== panels[kind]) return;
    if (dayjs.isDayjs(picked)) commit(writeDate(kind, picked.toDate()));
  }
  function onKey(event: KeyboardEvent): boolean {
    switch (event.key) {
      case 'Enter':
        settle();
        if (!isOpen) return true; // the form handles the key
        event.preventDefault();
        show(false);
        return true;
      case 'Escape':
        settle();
        return false;
      case 'ArrowDown':
        if (isOpen) break;
        event.preventDefault();
        show(true);
        return true;
      default:
    }
    const to = isOpen ? moveByKey(kind, text, event.key) : undefined;
    if (to === undefined) return false;
    event.preventDefault();
    commit(to);
    return true;
  }

  return (
    <TypingContext value={{ text, onType: type, onKey, onLeave: settle }}>
      <DatePicker
        placeholder={uiText.dateExample(dateExamples[kind])}
        {...given}
        {...kindProps[kind]}
        className={className ?? styles.field ?? ''}
        classNames={{ popup: { root: styles.calendar ?? '' } }}
        components={components}
        builtinPlacements={placements}
        format={dateFormats[kind]}
        previewValue={false}
        locale={locale}
        panelRender={renderPanel}
        allowClear={allowClear && clearable()}
        value={asFreshList(shown)}
        pickerValue={page ?? shown ?? dayjs().startOf('day')}
        onPickerValueChange={(turnedTo, { source }) => source === 'panel' && setPage(turnedTo)}
        mode={panel}
        onPanelChange={(_turnedTo, mode) => setPanel(mode)}
        open={isOpen}
        onOpenChange={show}
        // Each click counts at once, without antd's OK button.
        onCalendarChange={pick}
        onClear={() => commit('')}
      />
    </TypingContext>
  );
}
