package io.frameloom.gpu.error;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a lost device: how far each queue had come, and where the device faulted. The first thread that
 * finds the device lost makes it, before anything that waits fails. A {@link DeviceLostException} carries it.
 *
 * <p>How far passes had come is known from marks that the device leaves ({@link Marking}). They are on with {@link
 * io.frameloom.gpu.DeviceOptions#withCrashMarkers}, and always on the virtual GPU. Without them the report has the work
 * under way, with its passes by name.
 *
 * @param device name of the device
 * @param cause operation that found the loss, and the result of the driver
 * @param marking how the marks were made, which says what they prove
 * @param queues queues of the device, in its order
 * @param fault what the driver reports of a fault, or null where it reports nothing
 */
public record CrashReport(
        String device,
        String cause,
        Marking marking,
        List<QueueState> queues,
        @Nullable Fault fault) {
    private static final int MOST_NAMES = 4;

    public CrashReport {
        queues = List.copyOf(queues);
    }

    /** Returns the report that a failure carries, itself or among its causes; empty if none does. */
    public static Optional<CrashReport> of(Throwable failure) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Throwable at = failure; at != null && seen.add(at); at = at.getCause()) {
            if (at instanceof DeviceLostException lost && lost.report().isPresent()) {
                return lost.report();
            }
        }
        return Optional.empty();
    }

    /** How the device marks begin and end of command lists and passes. */
    public enum Marking {
        /** No marks: what has begun is not known. */
        NONE(
                "none; DeviceOptions.withCrashMarkers or -Dframeloom.gpu.crashMarkers=true has the device mark its passes"),
        /**
         * Fills of a word, with barriers of everything around them: a fill by itself orders nothing. So each pass of a
         * queue begins when the one before has ended, and both marks prove what they say. Passes that would run side by
         * side do not, which may hide a mistake of synchronisation.
         */
        TRANSFER("fills between barriers: passes of a queue ran one after another"),
        /**
         * VK_AMD_buffer_marker. The mark of a begin proves that the device has read the commands up to there; earlier
         * passes may still have run, and the pass may not have done anything yet. That of an end proves that everything
         * up to there was done.
         */
        BUFFER_MARKER("VK_AMD_buffer_marker: a begun pass was read by the device, an ended one was done"),
        /**
         * VK_NV_device_diagnostic_checkpoints: the last mark that each stage of a queue has passed. Begins and ends
         * prove the same as those of {@link #BUFFER_MARKER}.
         */
        CHECKPOINT("VK_NV_device_diagnostic_checkpoints: a begun pass was read by the device, an ended one was done"),
        /** The virtual GPU knows what it has done. */
        EXACT("exact");

        private final String words;

        Marking(String words) {
            this.words = words;
        }
    }

    /** How far a command list or pass had come. */
    public enum Progress {
        /** Done. */
        ENDED("ended"),
        /** Begun, and not done. */
        BEGUN("begun, not ended"),
        /** Not begun. */
        NOT_BEGUN("not begun"),
        /** There is no mark. */
        UNKNOWN("not known");

        private final String words;

        Progress(String words) {
            this.words = words;
        }
    }

    /**
     * How far a queue had come.
     *
     * @param name queue
     * @param submitted value of its timeline when all that was submitted is done
     * @param reached value that its timeline had reached
     * @param underWay submissions after that value, oldest first
     */
    public record QueueState(String name, long submitted, long reached, List<SubmissionState> underWay) {
        public QueueState {
            underWay = List.copyOf(underWay);
        }

        /** Returns the name of the last pass that began, of a command list where it has none. */
        public Optional<String> lastBegun() {
            return last(Progress.BEGUN, Progress.ENDED);
        }

        /** Returns the name of the last pass that ended among those under way, of a command list where it has none. */
        public Optional<String> lastEnded() {
            return last(Progress.ENDED, Progress.ENDED);
        }

        private Optional<String> last(Progress one, Progress other) {
            List<String> names = names(one, other);
            return names.isEmpty() ? Optional.empty() : Optional.of(names.get(names.size() - 1));
        }

        /** Returns the names of passes that began and did not end, in order, of command lists where they have none. */
        public List<String> open() {
            return names(Progress.BEGUN, Progress.BEGUN);
        }

        private List<String> names(Progress one, Progress other) {
            List<String> names = new ArrayList<>();
            for (SubmissionState submission : underWay) {
                for (ListState list : submission.lists()) {
                    int before = names.size();
                    for (PassState pass : list.passes()) {
                        if (pass.progress() == one || pass.progress() == other) {
                            names.add(pass.name());
                        }
                    }
                    if (names.size() == before && (list.progress() == one || list.progress() == other)) {
                        names.add(list.label());
                    }
                }
            }
            return names;
        }

        private String summary() {
            List<String> open = open();
            if (!open.isEmpty()) {
                return "queue '" + name + "' had begun and not ended " + some(open)
                        + lastEnded()
                                .map(last -> ", and ended '" + last + "' last")
                                .orElse("");
            }
            boolean waits = underWay.stream()
                    .flatMap(submission -> submission.lists().stream())
                    .allMatch(list -> list.progress() == Progress.NOT_BEGUN);
            return "queue '" + name + (waits ? "' had not begun " : "' had not ended ")
                    + some(underWay.stream().map(SubmissionState::label).toList());
        }
    }

    /**
     * How far a submission had come.
     *
     * @param label its name
     * @param value value of the queue's timeline when it is done
     * @param lists command lists, in order; empty for one that is so old that only its value is known
     */
    public record SubmissionState(String label, long value, List<ListState> lists) {
        public SubmissionState {
            lists = List.copyOf(lists);
        }
    }

    /** How far a command list had come, with its passes and, where labels are marked, its labels, in order. */
    public record ListState(String label, Progress progress, List<PassState> passes) {
        public ListState {
            passes = List.copyOf(passes);
        }
    }

    /** How far a pass had come. */
    public record PassState(String name, Progress progress) {}

    /**
     * What the driver reports of a fault (VK_EXT_device_fault).
     *
     * @param description the driver's words
     * @param addresses addresses that faulted, or of instructions that were executed
     * @param vendor what only the vendor can read
     * @param binary bytes for the vendor's tools, read-only; empty where there are none
     */
    public record Fault(String description, List<Address> addresses, List<Vendor> vendor, ByteBuffer binary) {
        public Fault {
            addresses = List.copyOf(addresses);
            vendor = List.copyOf(vendor);
            binary = binary.asReadOnlyBuffer();
        }

        /** Returns the bytes with a position of the caller's own: reports go to all threads that wait. */
        @Override
        public ByteBuffer binary() {
            return binary.duplicate();
        }
    }

    /**
     * An address of a fault.
     *
     * @param kind what happened there, in words
     * @param precision bytes, a power of two: the true address is in the aligned block of this size
     * @param owners resources whose memory meets that block; none if no known one does
     */
    public record Address(String kind, long address, long precision, List<Owner> owners) {
        public Address {
            owners = List.copyOf(owners);
        }

        private String text() {
            String where = owners.isEmpty()
                    ? "in no resource whose address is known"
                    : owners.stream().map(owner -> owner.text(address)).collect(Collectors.joining(", "));
            return kind + " at " + hex(address) + (precision > 1 ? " within " + precision + " bytes" : "") + ", "
                    + where;
        }
    }

    /**
     * A resource that has or had addresses.
     *
     * @param name kind and name of the resource
     * @param base first address
     * @param bytes number of bytes
     * @param freed whether it was destroyed before the loss
     */
    public record Owner(String name, long base, long bytes, boolean freed) {
        private String text(long address) {
            return (freed ? "freed " : "") + name + " (" + hex(base) + " + " + (address - base) + " of " + bytes + ")";
        }
    }

    /** A fault of a vendor. */
    public record Vendor(String description, long code, long data) {}

    /** Returns one line: what each queue was at, and the first fault. */
    public String summary() {
        List<String> parts = new ArrayList<>();
        for (QueueState queue : queues) {
            if (!queue.underWay().isEmpty()) {
                parts.add(queue.summary());
            }
        }
        if (parts.isEmpty()) {
            parts.add("all that was submitted had ended");
        }
        Fault reported = fault;
        if (reported != null) {
            parts.add(
                    reported.addresses().isEmpty()
                            ? reported.description()
                            : reported.addresses().get(0).text());
        }
        return String.join("; ", parts);
    }

    /** Returns the whole report, in lines. */
    public String text() {
        StringBuilder out = new StringBuilder();
        out.append("device lost: ").append(cause).append('\n');
        out.append("device: ").append(device).append('\n');
        out.append("marks: ").append(marking.words).append('\n');
        for (QueueState queue : queues) {
            out.append("queue '").append(queue.name()).append("': submitted ").append(queue.submitted());
            out.append(", reached ").append(queue.reached()).append('\n');
            queue.lastBegun()
                    .ifPresent(pass -> out.append("  last begun: ").append(pass).append('\n'));
            queue.lastEnded()
                    .ifPresent(pass -> out.append("  last ended: ").append(pass).append('\n'));
            for (SubmissionState submission : queue.underWay()) {
                out.append("  submission '").append(submission.label()).append("', done at ");
                out.append(submission.value()).append('\n');
                for (ListState list : submission.lists()) {
                    line(out, "    list '", list.label(), list.progress());
                    list.passes().forEach(pass -> line(out, "      pass '", pass.name(), pass.progress()));
                }
            }
        }
        Fault reported = fault;
        if (reported == null) {
            return out.append("fault: the driver reports none\n").toString();
        }
        out.append("fault: ").append(reported.description()).append('\n');
        reported.addresses()
                .forEach(address -> out.append("  ").append(address.text()).append('\n'));
        for (Vendor vendor : reported.vendor()) {
            out.append("  vendor: ")
                    .append(vendor.description())
                    .append(", code ")
                    .append(hex(vendor.code()));
            out.append(", data ").append(hex(vendor.data())).append('\n');
        }
        if (reported.binary().hasRemaining()) {
            out.append("  vendor binary: ")
                    .append(reported.binary().remaining())
                    .append(" bytes\n");
        }
        return out.toString();
    }

    private static void line(StringBuilder out, String before, String name, Progress progress) {
        out.append(before).append(name).append("': ").append(progress.words).append('\n');
    }

    private static String some(List<String> names) {
        String first =
                names.stream().limit(MOST_NAMES).map(name -> "'" + name + "'").collect(Collectors.joining(", "));
        int more = names.size() - MOST_NAMES;
        return more > 0 ? first + " and " + more + " more" : first;
    }

    private static String hex(long value) {
        return "0x" + Long.toHexString(value);
    }

    @Override
    public String toString() {
        return text();
    }
}
