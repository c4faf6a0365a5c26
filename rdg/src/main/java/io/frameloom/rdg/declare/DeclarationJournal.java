package io.frameloom.rdg.declare;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.ResolveMode;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RenderTargets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The declaration, written down call by call as numbers and objects. It has all that decides about a plan, and nothing
 * that is bound to it for one frame, such as the name of the graph. Graphs with equal journals are equal but for the
 * names of passes, resources and scopes, which are noted apart. Equal graphs that were declared in another order of
 * calls may have other journals. That costs a compilation and nothing else.
 *
 * <p>The hash is of the numbers alone and is kept while they are added. What changes the state of a declaration is
 * noted here at the same place. One thread at a time; {@link #copy} is immutable as long as nothing is noted in it.
 */
public final class DeclarationJournal {
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    /** What a number begins with, in its lowest byte. */
    private static final int SCOPE = 2;

    private static final int TRANSIENT = 3;
    private static final int EXTERNAL = 4;
    private static final int FINAL_ACCESS = 5;
    private static final int EXTRACT = 6;
    private static final int PASS = 7;
    private static final int FLAG = 8;
    private static final int USE = 9;
    private static final int ATTACHMENT = 10;
    private static final int AFTER = 11;
    private static final int CONDITION = 12;
    private static final int BODY = 13;
    private static final int BODY_IN_PARTS = 14;
    private static final int WITHIN = 15;
    private static final int USE_IN_GROUP = 16;
    private static final int RESOLVE = 17;
    private static final int SHARING = 18;
    private static final int DISCARDED_AFTER = 19;
    private static final int AREA = 20;
    private static final int SLICES = 21;
    private static final int NEVER_ALIAS = 22;
    private static final int PREALLOCATED = 23;
    private static final int QUEUE = 24;

    private long[] words;
    private @Nullable Object[] objects;
    private final DeclaredNames names;
    private int wordCount;
    private int objectCount;
    private long hash;
    /** The pass that the next words are about. */
    private int current = -1;

    DeclarationJournal() {
        words = new long[256];
        objects = new Object[64];
        names = new DeclaredNames();
    }

    private DeclarationJournal(DeclarationJournal other) {
        words = Arrays.copyOf(other.words, other.wordCount);
        objects = Arrays.copyOf(other.objects, other.objectCount);
        names = other.names.copy();
        wordCount = other.wordCount;
        objectCount = other.objectCount;
        hash = other.hash;
    }

    /** Forgets everything, and keeps no object of the application. */
    void clear() {
        Arrays.fill(objects, 0, objectCount, null);
        names.clear();
        wordCount = 0;
        objectCount = 0;
        hash = 0;
        current = -1;
    }

    public DeclarationJournal copy() {
        return new DeclarationJournal(this);
    }

    /** Returns the mixed numbers; equal journals have equal ones. */
    public long hash() {
        return hash;
    }

    /** Returns the names that were noted until now. */
    public DeclaredNames names() {
        return names;
    }

    /** Returns whether all numbers and objects are equal, whatever the hash says and whatever the names are. */
    public boolean isEqualTo(DeclarationJournal other) {
        if (objectCount != other.objectCount || !Arrays.equals(words, 0, wordCount, other.words, 0, other.wordCount)) {
            return false;
        }
        for (int i = 0; i < objectCount; i++) {
            if (objects[i] != other.objects[i] && !Objects.equals(objects[i], other.objects[i])) {
                return false;
            }
        }
        return true;
    }

    void scope(String name, int parent) {
        add(word(SCOPE, parent, 0));
        names.addScope(name);
    }

    void transientResource(String name, Object description) {
        add(TRANSIENT);
        names.addResource(name);
        add(description);
    }

    @SuppressWarnings("EnumOrdinal")
    void external(String name, Object description, Lifetime lifetime, TextureLayout initial) {
        add(word(EXTERNAL, lifetime.ordinal(), initial.ordinal()));
        names.addResource(name);
        add(description);
    }

    /** How the last noted external is shared; most are by all families. */
    void sharing(DeclaredGraph.Sharing sharing) {
        if (!sharing.equals(DeclaredGraph.Sharing.CONCURRENT)) {
            add(SHARING);
            add(sharing);
        }
    }

    /** The contents of the last noted external are not needed after the frame. */
    void discardedAfter() {
        add(DISCARDED_AFTER);
    }

    void finalAccess(int resource, Access access) {
        add(word(FINAL_ACCESS, resource, code(access)));
    }

    void extract(int resource, @Nullable Access finalAccess) {
        add(word(EXTRACT, resource, finalAccess == null ? 0 : code(finalAccess)));
    }

    /** Notes a pass with an index, the next one; what follows is about it. */
    @SuppressWarnings("EnumOrdinal")
    void pass(int pass, String name, PassKind kind, int scope) {
        add(word(PASS, scope, kind.ordinal()));
        names.addPass(name);
        current = pass;
    }

    @SuppressWarnings("EnumOrdinal")
    void flag(int pass, PassFlag flag) {
        within(pass);
        add(word(FLAG, flag.ordinal(), 0));
    }

    void use(int pass, DeclaredGraph.Use use) {
        within(pass);
        SubresourceRange range = use.range();
        boolean partOfBuffer = use.offset() != 0 || use.bytes() >= 0;
        int shape = (use.attachment() ? 1 : 0) | (range != null ? 2 : 0) | (partOfBuffer ? 4 : 0);
        int bits = mode(use) | shape << 2 | code(use.access()) << 8;
        if (use.overlap() == -1) {
            add(word(USE, use.resource(), bits));
        } else {
            add(word(USE_IN_GROUP, use.resource(), bits));
            add(use.overlap());
        }
        if (range != null) {
            add(pair(range.baseMip(), range.mipCount()));
            add(pair(range.baseLayer(), range.layerCount()));
            add(pair(range.basePlane(), range.planeCount()));
        }
        if (partOfBuffer) {
            add(use.offset());
            add(use.bytes());
        }
    }

    @SuppressWarnings("EnumOrdinal")
    void attachment(int pass, DeclaredGraph.Attachment attachment) {
        within(pass);
        LoadOp load = attachment.load();
        int shape = attachment.aspect().ordinal() | (attachment.readOnly() ? 4 : 0) | load.ordinal() << 3;
        add(word(ATTACHMENT, attachment.use(), shape));
        switch (attachment.aspect()) {
            case COLOR -> add(attachment.clear());
            case DEPTH -> add(Float.floatToRawIntBits(attachment.clearDepth()));
            case STENCIL -> add(attachment.clearStencil());
        }
        RenderTargets.Slices slices = attachment.slices();
        if (slices != null) {
            add(SLICES);
            add(pair(slices.first(), slices.count()));
        }
    }

    void area(int pass, DeclaredGraph.Area area) {
        within(pass);
        add(AREA);
        add(pair(area.x(), area.y()));
        add(pair(area.width(), area.height()));
    }

    void preallocated(int resource) {
        add(word(PREALLOCATED, resource, 0));
    }

    void neverAlias(int resource) {
        add(word(NEVER_ALIAS, resource, 0));
    }

    /** A resolve of an attachment to the texture of a use; {@code mode} is null for colours. */
    @SuppressWarnings("EnumOrdinal")
    void resolve(int pass, int attachment, int use, @Nullable ResolveMode mode) {
        within(pass);
        add(word(RESOLVE, attachment, mode == null ? 0 : mode.ordinal() + 1));
        add(use);
    }

    void after(int pass, int earlier) {
        within(pass);
        add(word(AFTER, earlier, 0));
    }

    void queue(int pass, int queue) {
        within(pass);
        add(word(QUEUE, queue, 0));
    }

    void condition(int pass) {
        within(pass);
        add(CONDITION);
    }

    /** A body; {@code parts} is 0 if it is recorded as a whole. */
    void body(int pass, int parts) {
        within(pass);
        add(parts == 0 ? BODY : word(BODY_IN_PARTS, parts, 0));
    }

    /** Passes are mostly declared one after the other, so their number is noted only where it is not the next. */
    private void within(int pass) {
        if (pass != current) {
            current = pass;
            add(word(WITHIN, pass, 0));
        }
    }

    /** Puts a kind, an index from -1 on, and 24 bits into one number. */
    private static long word(int kind, int index, int bits) {
        return kind | (long) bits << 8 | (long) index << Integer.SIZE;
    }

    private static long pair(int high, int low) {
        return (long) high << Integer.SIZE | (low & 0xFFFFFFFFL);
    }

    /** 0 stands for none. */
    @SuppressWarnings("EnumOrdinal")
    private static int code(Access access) {
        return access.ordinal() + 1;
    }

    @SuppressWarnings("EnumOrdinal")
    private static int mode(DeclaredGraph.Use use) {
        return use.mode().ordinal();
    }

    private void add(long word) {
        int at = wordCount;
        if (at == words.length) {
            words = Arrays.copyOf(words, 2 * at);
        }
        words[at] = word;
        wordCount = at + 1;
        long mixed = (hash ^ word) * MULTIPLIER;
        hash = mixed ^ mixed >>> Integer.SIZE;
    }

    private void add(Object object) {
        if (objectCount == objects.length) {
            objects = Arrays.copyOf(objects, 2 * objectCount);
        }
        objects[objectCount++] = object;
    }
}
