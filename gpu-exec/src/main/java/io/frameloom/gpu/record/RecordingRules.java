package io.frameloom.gpu.record;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.RenderingFormats;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.RasterState;
import io.frameloom.gpu.pipeline.StencilState;
import io.frameloom.gpu.resource.Resource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The state of a command list, and the refusal of commands that do not belong there. One thread at a time; a check that
 * passes allocates nothing.
 */
public final class RecordingRules {
    private enum Phase {
        RECORDING,
        NATIVE,
        ENDED,
        SUBMITTED,
        EXECUTED,
        ABANDONED
    }

    private final DeviceCapabilities capabilities;
    private final boolean secondary;
    private final InheritedNeeds needs = new InheritedNeeds();
    private String list;
    private GpuQueue queue;
    private @Nullable RenderingFormats inherited;
    private Phase phase = Phase.RECORDING;
    private @Nullable String pass;
    /** Knows what it declares, for messages. */
    private @Nullable PassLayouts layouts;
    /** Whether there are passes or barriers, which do not nest. */
    private boolean ordered;

    private @Nullable RenderingInfo rendering;
    /** Whether anything was drawn or cleared in the open render pass. */
    private boolean filled;

    /** Changes with everything that a check of draws looks at. */
    private int changes;

    private final UseReports reports = new UseReports();

    private final ArrayDeque<String> labels = new ArrayDeque<>(1);
    /** How many of them were open before the pass. */
    private int passLabels;
    /** How many of them were open before its part. */
    private int partLabels;

    private boolean part;
    /** The render pass that the part began in. */
    private @Nullable RenderingInfo partRendering;

    /** Bit mask of the attachments that the part leaves as they are. */
    private int kept;

    /** A bit for each that is set. */
    private long viewports;

    private long scissors;
    private final DynamicTests tests = new DynamicTests();

    private RecordingRules(
            String list,
            GpuQueue queue,
            DeviceCapabilities capabilities,
            boolean secondary,
            @Nullable RenderingFormats inherited) {
        this.list = list;
        this.queue = queue;
        this.capabilities = capabilities;
        this.secondary = secondary;
        this.inherited = inherited;
    }

    public static RecordingRules primary(String list, GpuQueue queue, DeviceCapabilities capabilities) {
        return new RecordingRules(list, queue, capabilities, false, null);
    }

    /**
     * Rules of a list that is executed by another.
     *
     * @param inherited formats of the render pass that executes it, or null for work outside of render passes
     */
    public static RecordingRules secondary(
            String list, GpuQueue queue, DeviceCapabilities capabilities, @Nullable RenderingFormats inherited) {
        RecordingRules rules = new RecordingRules(list, queue, capabilities, true, inherited);
        rules.requireInheritable();
        return rules;
    }

    /**
     * Takes another list of the same level, whose recording begins.
     *
     * @param formats formats of the render pass that executes it, or null as for {@link #secondary}
     */
    public void renew(String label, GpuQueue recordedFor, @Nullable RenderingFormats formats) {
        list = label;
        queue = recordedFor;
        inherited = formats;
        requireInheritable();
        needs.clear();
        pass = null;
        ordered = false;
        rendering = null;
        filled = false;
        labels.clear();
        passLabels = 0;
        part = false;
        partRendering = null;
        kept = 0;
        viewports = 0;
        scissors = 0;
        tests.clear();
        enter(Phase.RECORDING);
    }

    private void enter(Phase next) {
        phase = next;
        changes++;
    }

    private void requireInheritable() {
        if (inherited != null) {
            requireQueue("beginSecondary", QueueKind.GRAPHICS);
        }
    }

    public UseReports reports() {
        return reports;
    }

    public String list() {
        return list;
    }

    public boolean isSecondary() {
        return secondary;
    }

    /** Returns the formats of the render pass that executes this list, or null. */
    public @Nullable RenderingFormats inherited() {
        return inherited;
    }

    /** Returns the needs of the list that the render pass which executes it must allow. */
    InheritedNeeds needs() {
        return needs;
    }

    DeviceCapabilities capabilities() {
        return capabilities;
    }

    GpuQueue queue() {
        return queue;
    }

    /** Returns the open render pass, or null. */
    public @Nullable RenderingInfo rendering() {
        return rendering;
    }

    /** Returns the open pass, or null. */
    @Nullable
    String pass() {
        return pass;
    }

    boolean isInPart() {
        return part;
    }

    /** Returns a number that stays the same while nothing has changed that the check of a draw looks at. */
    int changes() {
        return changes;
    }

    public void beginPass(String name) {
        requireBeginPass(name);
        pass = name;
        passLabels = labels.size();
        ordered = true;
    }

    /** Throws unless a pass may be opened. */
    public void requireBeginPass(String name) {
        requireOutside("beginPass");
        if (pass != null) {
            throw new IllegalStateException("command list '" + list + "' begins pass '" + name + "' inside pass '"
                    + pass + "'; end that one first");
        }
    }

    public void endPass() {
        requireOutside("endPass");
        if (pass == null) {
            throw new IllegalStateException("command list '" + list + "' ends a pass, but none is open");
        }
        if (part) {
            throw new IllegalStateException(where("endPass") + " of pass '" + pass + "' is in a part; end that first");
        }
        requireLabelsClosed("endPass");
        pass = null;
        passLabels = 0;
    }

    public void beginPart() {
        requireOpen("beginPart");
        if (pass == null || part) {
            throw new IllegalStateException(where("beginPart")
                    + (pass == null
                            ? " is outside of a pass"
                            : " of pass '" + pass + "' is in a part; end that first"));
        }
        part = true;
        partRendering = rendering;
        partLabels = labels.size();
    }

    /** Notes attachments that the open part does not write, a bit for each colour and one after them for depth. */
    void keep(int attachments) {
        kept = attachments;
        changes++;
    }

    /** Returns whether the open part does not write an attachment that others write. */
    boolean isKept(int attachment) {
        return (kept >> attachment & 1) != 0;
    }

    /** Ends the part of the open pass: throws unless it leaves the state that it found. */
    @SuppressWarnings("ReferenceEquality") // one of equal contents is another render pass
    public void endPart() {
        requireOpen("endPart");
        if (!part) {
            throw new IllegalStateException(where("endPart") + " ends a part, but none is open");
        }
        if (rendering != partRendering) {
            throw new IllegalStateException(where("endPart") + " of pass '" + pass + "' "
                    + (partRendering == null
                            ? "is inside a render pass; call endRendering first"
                            : "is not in the render pass that it began in; leave that one open"));
        }
        requireLabelsClosed("endPart");
        part = false;
        partRendering = null;
        kept = 0;
        resetState();
    }

    private int outerLabels() {
        return part ? partLabels : passLabels;
    }

    private void requireLabelsClosed(String command) {
        if (labels.size() > outerLabels()) {
            throw new IllegalStateException(where(command) + (pass == null ? "" : " of pass '" + pass + "'")
                    + ": label '" + labels.getLast() + "' is still open; call endLabel where the commands of the label"
                    + " end");
        }
    }

    void barrier() {
        ordered = true;
    }

    public void beginLabel(String name) {
        requireRecording("beginLabel");
        labels.addLast(name);
    }

    public void endLabel() {
        requireRecording("endLabel");
        if (labels.size() == outerLabels()) {
            throw new IllegalStateException(where("endLabel")
                    + (outerLabels() == 0
                            ? " closes a label, but none is open"
                            : " closes label '" + labels.getLast() + "', which was opened before pass '" + pass
                                    + "'; close it after the pass"));
        }
        labels.removeLast();
    }

    /** Opens a render pass whose attachments have been checked by {@link RenderingRules}. */
    public void beginRendering(RenderingInfo info) {
        rendering = info;
        filled = false;
        resetState();
    }

    /** The next draw finds what a render pass begins with: its viewport and scissor, and the values of pipelines. */
    private void resetState() {
        viewports = rendering != null ? 1 : 0;
        scissors = viewports;
        tests.clear();
        changes++;
    }

    /** Notes that something is drawn or cleared in the open render pass. */
    void fill() {
        filled = true;
    }

    /**
     * Closes the open render pass.
     *
     * @return whether nothing was drawn or cleared in it
     */
    public boolean endRendering() {
        requireOpen("endRendering");
        if (rendering == null) {
            throw new IllegalStateException(where("endRendering")
                    + (inherited != null
                            ? " is in a secondary list; the primary list ends the render pass"
                            : " is outside of a render pass; call beginRendering first"));
        }
        rendering = null;
        changes++;
        return !filled;
    }

    void viewport(int index) {
        viewports |= 1L << index;
    }

    void scissor(int index) {
        scissors |= 1L << index;
    }

    void topology(RasterState.Topology topology) {
        requireRecording("setTopology");
        tests.topology(topology);
        changes++;
    }

    void vertexInput(List<GraphicsPipelineDescription.VertexBuffer> buffers) {
        requireRecording("setVertexInput");
        tests.vertexInput(buffers);
        changes++;
    }

    void depthTest(GraphicsPipelineDescription.@Nullable DepthState test) {
        requireRecording("setDepthTest");
        tests.depth(test);
        changes++;
    }

    void stencilTest(@Nullable StencilState test) {
        requireRecording("setStencilTest");
        tests.stencil(test);
        changes++;
    }

    public RasterState.Topology topology(GraphicsPipelineDescription pipeline) {
        return tests.topology(pipeline);
    }

    /** Returns what the list has set instead of its pipelines. */
    DynamicTests tests() {
        return tests;
    }

    /** Throws unless the list is being recorded, and takes commands of its own where it stands. */
    public void requireRecording(String command) {
        requireOpen(command);
        if (rendering != null && rendering.secondaries()) {
            throw new IllegalStateException(where(command)
                    + " is in a render pass that takes its commands from secondary lists; record it in one of them, or"
                    + " begin the render pass without withSecondaries");
        }
    }

    /** Gives the list to commands of the application's own, until {@link #endNative}. They may draw. */
    void beginNative() {
        requireRecording("recordNative");
        filled = true;
        enter(Phase.NATIVE);
    }

    /** Takes the list back, without the viewport and scissor of a secondary list; returns false if it was recycled. */
    boolean endNative() {
        if (phase != Phase.NATIVE) {
            return false;
        }
        viewports = rendering != null ? 1 : 0;
        scissors = viewports;
        enter(Phase.RECORDING);
        return true;
    }

    private void requireOpen(String command) {
        if (phase == Phase.NATIVE) {
            throw new IllegalStateException(where(command)
                    + " is among native commands, which go into the VkCommandBuffer; record it when their body has"
                    + " returned");
        }
        if (phase != Phase.RECORDING) {
            throw new IllegalStateException(where(command) + ": the list is no longer recorded (" + phase
                    + "); begin another from the frame" + " context");
        }
    }

    /** Throws unless recording inside of a render pass whose commands are in this list. */
    public void requireInside(String command) {
        requireRecording(command);
        if (rendering == null && inherited == null) {
            throw new IllegalStateException(where(command) + " is outside of a render pass; call beginRendering first");
        }
    }

    /** Throws unless a draw with that many viewports may be recorded. */
    void requireDrawable(String command, int count) {
        requireInside(command);
        long needed = (1L << count) - 1;
        long missing = needed & ~(viewports & scissors);
        if (missing == 0) {
            return;
        }
        int first = Long.numberOfTrailingZeros(missing);
        String what = (viewports >> first & 1) == 0 ? "viewport" : "scissor";
        throw new IllegalStateException(
                first > 0
                        ? where(command) + " is by a pipeline of " + count + " viewports without " + what + " " + first
                                + "; call setViewport and setScissor with each index first"
                        : where(command) + " is in a secondary list without a " + what
                                + ", which is not inherited; call setViewport and setScissor first");
    }

    /** Throws unless recording outside of a render pass. */
    public void requireOutside(String command) {
        requireOpen(command);
        if (rendering != null) {
            throw new IllegalStateException(where(command) + " is inside a render pass; call endRendering first");
        }
        if (inherited != null) {
            throw new IllegalStateException(
                    where(command) + " is in a secondary list for a render pass; record it in the primary list");
        }
    }

    /** Throws unless recording between passes of a list that is submitted itself. */
    void requireBetweenPasses(String command) {
        requireOutside(command);
        if (secondary) {
            throw new IllegalStateException(
                    where(command) + " is in a secondary list; record it in the primary list that executes this one");
        }
        if (pass != null) {
            throw new IllegalStateException(where(command) + " is inside pass '" + pass
                    + "', and split barriers order whole passes; record it before the pass or after it");
        }
    }

    /** Throws unless the queue can execute a kind of work. */
    public void requireQueue(String command, QueueKind kind) {
        if (!queue.kind().supports(kind)) {
            throw new IllegalStateException(where(command) + " needs a " + kind + " queue, '" + queue.name() + "' is a "
                    + queue.kind() + " queue; begin the list for another queue");
        }
    }

    /** Ends the list; throws if something is open. */
    public void end() {
        requireOpen("end");
        if (rendering != null) {
            throw new IllegalStateException(where("end") + " is inside a render pass; call endRendering first");
        }
        if (pass != null) {
            throw new IllegalStateException(where("end") + ": pass '" + pass + "' is still open; end it first");
        }
        requireLabelsClosed("end");
        enter(Phase.ENDED);
    }

    public void submitted() {
        enter(Phase.SUBMITTED);
    }

    /** Makes the list unusable: its frame context was reset, or the driver could not end it. */
    public void abandon() {
        enter(Phase.ABANDONED);
    }

    /** Throws unless the list has ended and was not submitted yet. */
    public void requireSubmittable(String submission) {
        if (secondary) {
            throw new IllegalStateException("submission '" + submission + "' has command list '" + list
                    + "', which is a secondary list; execute it in a primary one");
        }
        if (phase != Phase.ENDED) {
            throw new IllegalStateException(
                    "submission '" + submission + "' has command list '" + list + "', which " + notEnded());
        }
    }

    /** Notes that {@code primary} executes this list; throws unless it may. */
    public void execute(RecordingRules primary) {
        requireExecutable(primary);
        primary.fill();
        enter(Phase.EXECUTED);
    }

    /** Throws unless {@code primary} may execute this list where it stands. */
    public void requireExecutable(RecordingRules primary) {
        if (!secondary) {
            throw new IllegalArgumentException(
                    executed(primary) + "is a primary list; begin it by FrameContext.beginSecondary");
        }
        if (phase != Phase.ENDED) {
            throw new IllegalStateException(executed(primary) + notEnded());
        }
        if (queue.family() != primary.queue.family()) {
            throw new IllegalArgumentException(executed(primary) + "was begun for queue '" + queue.name()
                    + "' of another family" + " than queue '" + primary.queue.name() + "'");
        }
        if (primary.pass != null && ordered) {
            throw new IllegalStateException(executed(primary) + "has passes or barriers of its own, inside pass '"
                    + primary.pass + "'; end the pass first");
        }
        RenderingInfo open = primary.rendering;
        if (open == null && inherited != null) {
            throw new IllegalStateException(
                    executed(primary) + "is for a render pass, but none is open; call beginRendering first");
        }
        if (open != null && inherited == null) {
            throw new IllegalStateException(
                    executed(primary) + "is for work outside of render passes; call endRendering first");
        }
        if (open != null && inherited != null && !inherited.matches(open)) {
            throw new IllegalArgumentException(executed(primary) + "was begun for a render pass of " + inherited
                    + ", the open one has " + open.formats());
        }
        RuntimeException refusal = open == null ? null : needs.refusal(this, primary, open);
        if (refusal != null) {
            throw refusal;
        }
    }

    /** Returns the begin of a message about the execution of this list. */
    String executed(RecordingRules primary) {
        return primary.where("execute") + ": list '" + list + "' ";
    }

    /** Throws unless secondary lists may be executed here. */
    public void requireExecutes() {
        requireOpen("execute");
        if (secondary) {
            throw new IllegalStateException(where("execute") + " is in a secondary list, which cannot execute others");
        }
        if (rendering != null && !rendering.secondaries()) {
            throw new IllegalStateException(
                    where("execute") + " is in a render pass with commands of its own; begin it with withSecondaries");
        }
    }

    private String notEnded() {
        return switch (phase) {
            case RECORDING, NATIVE -> "is still being recorded; end it first";
            case SUBMITTED -> "was submitted before and cannot be submitted a second time; record a new one";
            case EXECUTED -> "was executed before and cannot be executed a second time; record a new one";
            default -> "was recycled by its frame context; record a new one";
        };
    }

    public String where(String command) {
        return command + " in command list '" + list + "'";
    }

    /** Takes where messages find what the open pass declares. */
    void explainBy(PassLayouts layoutsOfList) {
        layouts = layoutsOfList;
    }

    /** Returns what to do about a resource without the usage for a command: its pass may declare another access. */
    String remedy(Resource resource, Enum<?> usage) {
        List<ResourceUse> declared = layouts == null ? List.of() : layouts.declared();
        String accesses = declared.stream()
                .filter(use -> use.resource() == resource)
                .map(use -> use.access().name())
                .distinct()
                .collect(Collectors.joining(", "));
        return accesses.isEmpty()
                ? "; add it to its description"
                : "; add it to its description, or declare an access of usage " + usage + " in pass '" + pass
                        + "' of the render graph (it declares " + accesses + ")";
    }
}
