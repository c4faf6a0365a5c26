package io.frameloom.rdg.execute;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.QuerySet;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgBufferView;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RdgTextureView;
import io.frameloom.rdg.RdgUniformBuffer;
import io.frameloom.rdg.compile.plan.PlanUses;
import io.frameloom.rdg.declare.Counting;
import io.frameloom.rdg.diagnostics.PlanWarning;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a pass body sees. One object serves the passes of a recording group in turn; it answers only between
 * {@link #begin} and {@link #end}, on the thread between them.
 */
final class RecordingPassContext implements PassContext {
    private final FrameSlot slot;
    private final UploadArena uploads;
    private final BitSet taken = new BitSet();
    private @Nullable Frame frame;
    private @Nullable PassRealisation pass;
    private @Nullable CommandList list;
    private @Nullable Thread thread;

    RecordingPassContext(FrameSlot slot, UploadArena uploads) {
        this.slot = slot;
        this.uploads = uploads;
    }

    UploadArena uploads() {
        return uploads;
    }

    void begin(Frame frame, PassRealisation pass, CommandList list) {
        Thread current = Thread.currentThread();
        // The passes of a group have the same, and a store into an old object is not cheap.
        if (this.frame != frame || this.list != list || thread != current) {
            this.frame = frame;
            this.list = list;
            thread = current;
        }
        this.pass = pass;
        taken.clear();
    }

    /** Warns of the declared resources that the body has not taken. */
    void reportUntaken() {
        Frame recording = frame;
        if (recording != null) {
            reportUntaken(recording, pass().plan(), taken);
        }
    }

    void addTaken(BitSet to) {
        to.or(taken);
    }

    /** Warns of the declared resources that are not among those taken. */
    static void reportUntaken(Frame frame, FramePlan.PassPlan pass, BitSet taken) {
        PlanUses uses = frame.plan().structure().arrays().uses();
        int first = uses.first(pass.index());
        for (int use = first; use < uses.end(pass.index()); use++) {
            int index = uses.resource(use);
            if (!taken.get(index) && !isTarget(pass, uses, use)) {
                taken.set(index);
                FramePlan.ResourcePlan resource = frame.plan().resources().get(index);
                frame.warn(new PlanWarning(
                        PlanWarning.Code.NOT_TAKEN,
                        resource.name(),
                        "pass '" + pass.name() + "' declares '" + resource.name()
                                + "' and does not take it; if it has no use for it, an order and barriers are in vain",
                        frame.plan().sites(pass, use - first)));
            }
        }
    }

    private static boolean isTarget(FramePlan.PassPlan pass, PlanUses uses, int use) {
        TextureLayout layout = uses.layout(use);
        return pass.targets() != null
                && (layout == TextureLayout.COLOR
                        || layout == TextureLayout.DEPTH
                        || uses.access(use) == Access.DEPTH_READ);
    }

    void end() {
        pass = null;
    }

    /** Keeps nothing of the passes that have ended. */
    void letGo() {
        frame = null;
        list = null;
        thread = null;
    }

    @Override
    public CommandList commands() {
        pass();
        CommandList current = list;
        if (current == null) {
            throw outside();
        }
        return current;
    }

    @Override
    public Texture texture(RdgTexture texture) {
        Resource resource = declared(texture.index(), texture.name());
        if (resource instanceof Texture found) {
            return found;
        }
        throw foreign(texture.name());
    }

    @Override
    public TextureView view(RdgTexture texture) {
        return texture(texture).view();
    }

    @Override
    public TextureView view(RdgTexture texture, SubresourceRange range) {
        return texture(texture).view(range);
    }

    @Override
    public TextureView view(RdgTextureView view) {
        return texture(view.texture()).view(view.range(), view.kind(), view.format());
    }

    @Override
    public BufferSlice uniforms(RdgUniformBuffer buffer) {
        FramePlan.PassPlan plan = pass().plan();
        Frame recording = frame;
        if (recording == null) {
            throw outside();
        }
        if (!recording.plan().uniforms(plan.index()).contains(buffer)) {
            throw new RdgException(
                    "pass '" + plan.name() + "'" + recording.plan().siteOf(plan) + " takes uniform buffer '"
                            + buffer.name()
                            + "' that it has not declared; add uniforms of '" + buffer.name() + "' to the pass");
        }
        return slot.uniforms().written(buffer);
    }

    @Override
    public Buffer buffer(RdgBuffer buffer) {
        Resource resource = declared(buffer.index(), buffer.name());
        if (resource instanceof Buffer found) {
            return found;
        }
        throw foreign(buffer.name());
    }

    @Override
    public QuerySet queries(RdgBuffer results) {
        return queries(results, -1, 0);
    }

    @Override
    public QuerySet queries(RdgBufferView results) {
        return queries(results.buffer(), results.offset(), results.bytes());
    }

    private QuerySet queries(RdgBuffer results, long offset, long bytes) {
        declared(results.index(), results.name());
        FramePlan.PassPlan plan = pass().plan();
        Frame recording = frame;
        if (recording == null) {
            throw outside();
        }
        List<Counting> countings = recording.plan().countings(plan.index());
        for (int i = 0; i < countings.size(); i++) {
            Counting counting = countings.get(i);
            if (counting.resource() == results.index()
                    && (offset < 0 || (counting.offset() == offset && counting.bytes() == bytes))) {
                return slot.queries().set(plan.index(), i);
            }
        }
        throw new RdgException("pass '" + plan.name() + "'" + recording.plan().siteOf(plan)
                + " takes queries of '" + results.name() + "'"
                + (offset < 0 ? "" : " at bytes " + offset + "+" + bytes)
                + " that it has not declared; add counts of it to the pass");
    }

    @Override
    public BufferSlice upload(long bytes, int alignment) {
        pass();
        return uploads.allocate(bytes, alignment);
    }

    @Override
    public int width() {
        return pass().width();
    }

    @Override
    public int height() {
        return pass().height();
    }

    private Resource declared(int index, String name) {
        PassRealisation current = pass();
        Frame recording = frame;
        if (recording == null) {
            throw outside();
        }
        taken.set(index);
        if (!current.declares(index)) {
            throw new RdgException("pass '" + current.plan().name() + "'"
                    + recording.plan().siteOf(current.plan()) + " takes resource '" + name
                    + "' that it has not declared; add reads, writes, overwrites, color or depth of '" + name
                    + "' to the pass");
        }
        Resource resource = recording.resource(index);
        if (resource == null || !recording.plan().resources().get(index).name().equals(name)) {
            throw foreign(name);
        }
        return resource;
    }

    private PassRealisation pass() {
        PassRealisation current = pass;
        if (current == null || thread != Thread.currentThread()) {
            throw outside();
        }
        return current;
    }

    private RdgException foreign(String name) {
        Frame recording = frame;
        String site = recording == null ? "" : recording.plan().siteOf(pass().plan());
        return new RdgException("pass '" + pass().plan().name() + "'" + site + " takes resource '" + name
                + "' of another render graph; take the one declared in the graph of the pass");
    }

    private static IllegalStateException outside() {
        return new IllegalStateException(
                "a pass context is valid only inside its pass body and on the thread that runs it; take what you need"
                        + " there");
    }
}
