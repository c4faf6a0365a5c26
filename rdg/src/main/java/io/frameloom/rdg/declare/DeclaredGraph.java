package io.frameloom.rdg.declare;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.ResolveMode;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.QueueSharing;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureKind;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RenderTargets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a graph declares, as arrays. A {@link GraphDeclaration} writes them call by call, and the compiler reads them.
 * All that decides about a plan is in them, so a kept plan is found again by comparing them ({@link #isEqualTo}). Names
 * and sites are here for messages and decide nothing. What one frame binds to its plan is in {@link BoundFrame}.
 *
 * <p>Passes and resources are numbers in order of declaration. The uses of all passes lie one after the other, those of
 * a pass from {@link #firstUse} of it up to that of the next. So do attachments, and the passes that each comes after.
 * A call that declares into a pass before the last moves all that later passes have declared.
 *
 * <p>After {@link #clear} the arrays stay, with the objects at their places: what is declared again makes none. One
 * thread at a time. A {@link #copy} is immutable as long as nothing is declared into it; plans keep one.
 */
public final class DeclaredGraph {
    /** A part of a buffer. */
    private record Bytes(long offset, long bytes) {}

    /** A handle that is none of this frame: of another graph, or of what this one declared before it was reset. */
    private record Foreign(String name, boolean former) {}

    /** In place of a group of writes that may overlap: there is none. */
    public static final int NO_GROUP = -1;

    /** In place of a group: a read that shares its state with no other, and so keeps its own layout. */
    public static final int ALONE = -2;

    private static final int ROOM = 16;
    private static final int[] NO_NUMBERS = {};
    private static final @Nullable String[] NO_SITES = {};
    private static final @Nullable Object[] NO_OBJECTS = {};
    private static final @Nullable Attachment[] NO_ATTACHMENTS = {};
    private static final @Nullable Area[] NO_AREAS = {};
    private static final @Nullable Sharing[] NO_SHARINGS = {};
    private static final @Nullable MemoryRequirements[] NO_MEMORY = {};
    private static final PassKind[] KINDS = PassKind.values();
    private static final PassFlag[] FLAGS = PassFlag.values();
    /** By flag the set of it alone, which most passes with flags have. */
    private static final List<Set<PassFlag>> ONE_FLAG =
            Arrays.stream(FLAGS).map(Set::of).toList();

    private static final Access[] ACCESSES = Access.values();
    private static final Mode[] MODES = Mode.values();
    private static final Lifetime[] LIFETIMES = Lifetime.values();
    private static final TextureLayout[] LAYOUTS = TextureLayout.values();

    // Traits of a pass: its kind, what it has, and its flags.
    private static final int KIND = 7;
    private static final int HAS_BODY = 8;
    private static final int CONDITIONAL = 16;
    private static final int HAS_AREA = 32;
    /** Some target is resolved or of depth, or is not all of a texture of one mip, layer and plane. */
    private static final int SPECIAL_TARGETS = 64;

    private static final int FLAG_SHIFT = 8;

    // Traits of a use: its access, its mode, where it lies, and its group from ALONE on.
    private static final int MODE_SHIFT = Integer.SIZE - Integer.numberOfLeadingZeros(ACCESSES.length - 1);
    private static final int ACCESS = (1 << MODE_SHIFT) - 1;
    private static final int MODE = 3 << MODE_SHIFT;
    private static final int ATTACHED = 4 << MODE_SHIFT;
    private static final int PARTIAL = 8 << MODE_SHIFT;
    private static final int OUTSIDE = 16 << MODE_SHIFT;
    /** What follows from other declarations than that of the use. */
    private static final int DERIVED = ATTACHED | PARTIAL | OUTSIDE;

    private static final int GROUP_SHIFT = MODE_SHIFT + 5;
    private static final int MOST_GROUPS = (-1 >>> GROUP_SHIFT) + ALONE;

    private static final int LOCAL_BIT = 11;

    // Traits of a resource, with its lifetime, its layout at the start of the frame, and its final access from 1 on.
    private static final int TEXTURE = 1;
    private static final int DEPTH = 2;
    private static final int EXCLUSIVE = 4;
    private static final int DISCARDED_AFTER = 8;
    private static final int KEPT_APART = 16;
    private static final int SOME_FAMILIES = 32;
    /** Of all resources together: any is extracted. */
    private static final int EXTRACTED = 64;
    /** A buffer that the host may reach. */
    private static final int MAPPED = 128;
    /** A texture of two dimensions with one mip, layer and plane. */
    private static final int SINGLE = 1 << 10;
    /** A texture that some pass reads where it is attached. */
    private static final int LOCAL = 1 << LOCAL_BIT;
    /** One family at a time owns it if nothing else is said. */
    private static final int OWNED = 1 << 28;
    /** What follows from the shape. */
    private static final int OF_SHAPE = TEXTURE | DEPTH | MAPPED | SINGLE | OWNED;

    private static final int LIFETIME_SHIFT = 8;
    private static final int LIFETIME = 3 << LIFETIME_SHIFT;
    private static final int LAYOUT_SHIFT = 12;
    private static final int LAYOUT = 0xFF << LAYOUT_SHIFT;
    private static final int FINAL_SHIFT = 20;
    private static final int FINAL = 0xFF << FINAL_SHIFT;

    private String name;
    private DeclaredNames names;
    /** Of a graph of a plan whose memory can be given back. */
    private @Nullable GraphLease lease;

    // By pass; the places of uses, attachments and orders have one more, where all of them end.
    private int passes;
    private int[] passTraits;
    private int[] firstUse;
    private int[] firstAttachment;
    /** Of no use as long as there are no scopes. */
    private int[] scope;
    /** Of no use as long as no pass names a queue. */
    private int[] queue;

    private boolean anyQueue;
    /** Of no use as long as no pass comes after a named one. */
    private int[] firstAfter;

    private boolean anyAfter;
    private boolean anyOnHost;
    /** Those of passes that have one count. In the place of another pass, one of a former frame may stay. */
    private @Nullable Area[] area;

    private @Nullable String[] passSite;

    // By use.
    private int[] resource;
    private int[] useTraits;
    /** A {@link SubresourceRange}, {@link Bytes}, or null for everything. */
    private @Nullable Object[] part;

    private @Nullable String[] useSite;
    /** What uses of negative resources name: -1 for the first. */
    private final List<Foreign> foreign = new ArrayList<>(0);

    private @Nullable Attachment[] attachment;
    /** Of one that is resolved, as it was before; of another, how a former frame resolved it. To be used again. */
    private @Nullable Attachment[] otherForm;

    private int[] after;

    // By resource.
    private int resources;
    private int[] resourceTraits;
    /** The description of a texture or a buffer. */
    private @Nullable Object[] shape;

    /** Of those that some families share; of no resource unless one is. */
    private @Nullable Sharing[] sharing;
    /** What placing each takes; none if the device says it. */
    private @Nullable MemoryRequirements[] memory;

    private @Nullable String[] resourceSite;
    /** All that any resource has or had. */
    private int anyTraits;

    private int scopes;
    private int[] scopeParent;

    /** The number of uses of the former frame. */
    private int formerUses;
    /** Whether each resource has the very shape that was at its place last. */
    private boolean sameShapes;

    public DeclaredGraph(String name) {
        this(name, new DeclaredNames(), ROOM);
    }

    /** An empty graph; one that is to {@link #become} another has its names meanwhile. */
    private DeclaredGraph(String name, DeclaredNames names, int room) {
        this.name = name;
        this.names = names;
        passTraits = numbers(room);
        scope = NO_NUMBERS;
        queue = NO_NUMBERS;
        firstUse = numbers(room == 0 ? 0 : room + 1);
        firstAttachment = numbers(firstUse.length);
        firstAfter = NO_NUMBERS;
        area = NO_AREAS;
        passSite = NO_SITES;
        resource = numbers(room);
        useTraits = numbers(room);
        part = room == 0 ? NO_OBJECTS : new Object[room];
        useSite = NO_SITES;
        attachment = room == 0 ? NO_ATTACHMENTS : new Attachment[room];
        otherForm = NO_ATTACHMENTS;
        after = NO_NUMBERS;
        resourceTraits = numbers(room);
        shape = room == 0 ? NO_OBJECTS : new Object[room];
        sharing = NO_SHARINGS;
        memory = NO_MEMORY;
        resourceSite = NO_SITES;
        scopeParent = NO_NUMBERS;
    }

    private static int[] numbers(int room) {
        return room == 0 ? NO_NUMBERS : new int[room];
    }

    /** Takes all from another graph, into arrays that are large enough or new. Nothing is declared into it any more. */
    private void become(DeclaredGraph other) {
        name = other.name;
        names = other.names.copy();
        passes = other.passes;
        passTraits = filled(passTraits, other.passTraits, passes);
        scope = other.scopes > 0 ? filled(scope, other.scope, passes) : NO_NUMBERS;
        anyQueue = other.anyQueue;
        queue = anyQueue ? filled(queue, other.queue, passes) : NO_NUMBERS;
        firstUse = filled(firstUse, other.firstUse, passes + 1);
        firstAttachment = filled(firstAttachment, other.firstAttachment, passes + 1);
        anyAfter = other.anyAfter;
        firstAfter = anyAfter ? filled(firstAfter, other.firstAfter, passes + 1) : NO_NUMBERS;
        anyOnHost = other.anyOnHost;
        area = upTo(passes, other.area);
        passSite = upTo(passes, other.passSite);
        resource = filled(resource, other.resource, uses());
        useTraits = filled(useTraits, other.useTraits, uses());
        part = filled(part, other.part, uses());
        useSite = upTo(uses(), other.useSite);
        foreign.clear();
        foreign.addAll(other.foreign);
        attachment = filled(attachment, other.attachment, attachments());
        after = upTo(orders(), other.after);
        resources = other.resources;
        resourceTraits = filled(resourceTraits, other.resourceTraits, resources);
        shape = filled(shape, other.shape, resources);
        sharing = upTo(resources, other.sharing);
        memory = upTo(resources, other.memory);
        resourceSite = upTo(resources, other.resourceSite);
        anyTraits = other.anyTraits;
        scopes = other.scopes;
        scopeParent = upTo(scopes, other.scopeParent);
    }

    private static int[] filled(int[] room, int[] from, int count) {
        if (room.length < count) {
            return Arrays.copyOf(from, count);
        }
        System.arraycopy(from, 0, room, 0, count);
        return room;
    }

    private static <T> @Nullable T[] filled(@Nullable T[] room, @Nullable T[] from, int count) {
        if (room.length < count) {
            return Arrays.copyOf(from, count);
        }
        System.arraycopy(from, 0, room, 0, count);
        return room;
    }

    /** Returns what an array has at most of a number of things; mostly it has nothing. */
    private static <T> @Nullable T[] upTo(int length, @Nullable T[] array) {
        return array.length == 0 ? array : Arrays.copyOf(array, Math.min(array.length, length));
    }

    private static int[] upTo(int length, int[] array) {
        return array.length == 0 ? array : Arrays.copyOf(array, length);
    }

    /**
     * Forgets everything. Names, shapes, ranges, areas, attachments, sharing, memory and sites of the former frame stay
     * in the arrays until others take their places. None of them holds a resource, a body or a frame.
     */
    void clear(String newName) {
        formerUses = uses();
        sameShapes = true;
        name = newName;
        names.clear();
        passes = 0;
        firstUse[0] = 0;
        firstAttachment[0] = 0;
        anyQueue = false;
        anyAfter = false;
        anyOnHost = false;
        foreign.clear();
        resources = 0;
        anyTraits = 0;
        scopes = 0;
    }

    public DeclaredGraph copy() {
        DeclaredGraph copy = new DeclaredGraph(name, names, 0);
        copy.become(this);
        return copy;
    }

    /** Returns the graph as it is now, in the memory of a graph that is read no more if there is one. */
    DeclaredGraph copyInto(@Nullable DeclaredGraph spare, SpareGraphs home) {
        DeclaredGraph copy = spare == null ? new DeclaredGraph(name, names, 0) : spare;
        copy.become(this);
        copy.lease = new GraphLease(copy, home);
        return copy;
    }

    /** Returns what counts who reads this, null of a graph whose memory is not given back. */
    public @Nullable GraphLease lease() {
        return lease;
    }

    /** Returns whether all that decides about a plan is equal: everything but names and sites. */
    public boolean isEqualTo(DeclaredGraph other) {
        return passes == other.passes
                && resources == other.resources
                && scopes == other.scopes
                && uses() == other.uses()
                && same(shape, other.shape, resources)
                && same(passTraits, other.passTraits, passes)
                && (scopes == 0 || same(scope, other.scope, passes))
                && anyQueue == other.anyQueue
                && (!anyQueue || same(queue, other.queue, passes))
                && same(firstUse, other.firstUse, passes + 1)
                && same(firstAttachment, other.firstAttachment, passes + 1)
                && anyAfter == other.anyAfter
                && (!anyAfter || same(firstAfter, other.firstAfter, passes + 1))
                && same(resource, other.resource, uses())
                && same(useTraits, other.useTraits, uses())
                && same(after, other.after, orders())
                && same(resourceTraits, other.resourceTraits, resources)
                && same(scopeParent, other.scopeParent, scopes)
                && same(part, other.part, uses())
                && same(attachment, other.attachment, attachments())
                && hasAreasOf(other)
                && hasSharingOf(other)
                && hasMemoryOf(other);
    }

    private static boolean same(int[] one, int[] other, int length) {
        return Arrays.equals(one, 0, length, other, 0, length);
    }

    /** Looks at what objects are only where they are not the same, as those of one graph mostly are in each frame. */
    static boolean same(@Nullable Object[] one, @Nullable Object[] other, int length) {
        for (int i = 0; i < length; i++) {
            if (one[i] != other[i] && !Objects.equals(one[i], other[i])) {
                return false;
            }
        }
        return true;
    }

    private boolean hasAreasOf(DeclaredGraph other) {
        for (int p = 0, end = Math.min(area.length, passes); p < end; p++) {
            if (!Objects.equals(area(p), other.area(p))) {
                return false;
            }
        }
        return true;
    }

    private boolean hasSharingOf(DeclaredGraph other) {
        for (int r = 0; anyOfSomeFamilies() && r < resources; r++) {
            if (!sharing(r).equals(other.sharing(r))) {
                return false;
            }
        }
        return true;
    }

    private boolean hasMemoryOf(DeclaredGraph other) {
        for (int r = 0, end = Math.min(resources, Math.max(memory.length, other.memory.length)); r < end; r++) {
            if (!Objects.equals(memory(r), other.memory(r))) {
                return false;
            }
        }
        return true;
    }

    public String name() {
        return name;
    }

    public DeclaredNames names() {
        return names;
    }

    // Passes.

    /**
     * Adds a pass of which nothing more is declared, and returns its index.
     *
     * @param around index of the innermost scope around it, or -1
     * @param site where it is declared, or null
     */
    public int addPass(String passName, PassKind kind, int around, @Nullable String site) {
        int pass = passes;
        if (pass == passTraits.length) {
            int room = Math.max(ROOM, 2 * pass);
            passTraits = Arrays.copyOf(passTraits, room);
            firstUse = Arrays.copyOf(firstUse, room + 1);
            firstAttachment = Arrays.copyOf(firstAttachment, room + 1);
        }
        passes = pass + 1;
        passTraits[pass] = kind.ordinal();
        anyOnHost |= kind == PassKind.HOST;
        if (scopes > 0) {
            scope = atLeast(pass + 1, scope);
            scope[pass] = around;
        }
        if (anyQueue) {
            queue = atLeast(pass + 1, queue);
            queue[pass] = -1;
        }
        if (anyAfter) {
            firstAfter = atLeast(pass + 2, firstAfter);
            firstAfter[pass + 1] = firstAfter[pass];
        }
        firstUse[pass + 1] = firstUse[pass];
        firstAttachment[pass + 1] = firstAttachment[pass];
        names.addPass(passName);
        if (site != null || passSite.length > 0) {
            passSite = with(passSite, pass, site);
        }
        return pass;
    }

    private static int[] atLeast(int length, int[] array) {
        return length <= array.length ? array : Arrays.copyOf(array, Math.max(ROOM, 2 * length));
    }

    /** Notes a site in an array that is empty as long as all of them are null. */
    private static @Nullable String[] with(@Nullable String[] sites, int at, @Nullable String site) {
        @Nullable String[] noted = at < sites.length ? sites : Arrays.copyOf(sites, Math.max(ROOM, 2 * at));
        noted[at] = site;
        return noted;
    }

    public int passes() {
        return passes;
    }

    public boolean anyOnHost() {
        return anyOnHost;
    }

    public PassKind kind(int pass) {
        return KINDS[passTraits[pass] & KIND];
    }

    /** Returns the index of the innermost scope around a pass, or -1. */
    public int scope(int pass) {
        return scopes == 0 ? -1 : scope[pass];
    }

    /** Returns where a pass was declared, or null. */
    public @Nullable String site(int pass) {
        return pass < passSite.length ? passSite[pass] : null;
    }

    /** Returns whether it is kept where passes and resources are declared. */
    public boolean hasSites() {
        return passSite.length + resourceSite.length > 0;
    }

    /** Sets a flag; those set before stay. */
    public void flag(int pass, PassFlag flag) {
        passTraits[pass] |= bit(flag);
    }

    private static int bit(PassFlag flag) {
        return 1 << (FLAG_SHIFT + flag.ordinal());
    }

    public boolean has(int pass, PassFlag flag) {
        return (passTraits[pass] & bit(flag)) != 0;
    }

    public boolean hasFlags(int pass) {
        return passTraits[pass] >>> FLAG_SHIFT != 0;
    }

    /** Returns the flags of a pass, a bit for each by its place. */
    public int flagMask(int pass) {
        return passTraits[pass] >>> FLAG_SHIFT;
    }

    public Set<PassFlag> flags(int pass) {
        int mask = flagMask(pass);
        if ((mask & (mask - 1)) == 0) {
            return mask == 0 ? Set.of() : ONE_FLAG.get(Integer.numberOfTrailingZeros(mask));
        }
        Set<PassFlag> set = EnumSet.noneOf(PassFlag.class);
        for (PassFlag flag : FLAGS) {
            if (has(pass, flag)) {
                set.add(flag);
            }
        }
        return Collections.unmodifiableSet(set);
    }

    public void setQueue(int pass, int number) {
        if (!anyQueue) {
            anyQueue = true;
            queue = atLeast(passes, queue);
            Arrays.fill(queue, 0, passes, -1);
        }
        queue[pass] = number;
    }

    /** Returns the queue that a pass names, or -1 if the compiler chooses. */
    public int queue(int pass) {
        return anyQueue ? queue[pass] : -1;
    }

    public void setBody(int pass) {
        passTraits[pass] |= HAS_BODY;
    }

    public boolean hasBody(int pass) {
        return (passTraits[pass] & HAS_BODY) != 0;
    }

    /** Notes that a frame may leave a pass out. */
    public void setConditional(int pass) {
        passTraits[pass] |= CONDITIONAL;
    }

    /** Returns whether no target of a pass is resolved, and each is all of a texture of one mip, layer and plane. */
    public boolean hasPlainTargets(int pass) {
        return (passTraits[pass] & SPECIAL_TARGETS) == 0;
    }

    public boolean isConditional(int pass) {
        return (passTraits[pass] & CONDITIONAL) != 0;
    }

    public void setArea(int pass, int x, int y, int width, int height) {
        if (pass >= area.length) {
            area = Arrays.copyOf(area, passTraits.length);
        }
        Area former = area[pass];
        if (former == null
                || former.x() != x
                || former.y() != y
                || former.width() != width
                || former.height() != height) {
            area[pass] = new Area(x, y, width, height);
        }
        passTraits[pass] |= HAS_AREA;
    }

    /** Returns the render area of a raster pass, or null for all of its targets. */
    public @Nullable Area area(int pass) {
        return (passTraits[pass] & HAS_AREA) == 0 ? null : area[pass];
    }

    /** Adds that a pass comes after another one whatever it uses. */
    public void addAfter(int pass, int earlier) {
        if (!anyAfter) {
            anyAfter = true;
            firstAfter = atLeast(passes + 1, firstAfter);
            Arrays.fill(firstAfter, 0, passes + 1, 0);
        }
        int end = firstAfter[passes];
        if (end == after.length) {
            after = Arrays.copyOf(after, Math.max(ROOM, 2 * end));
        }
        int at = open(firstAfter, pass);
        System.arraycopy(after, at, after, at + 1, end - at);
        after[at] = earlier;
    }

    /** Makes a place after the last one of a pass, and returns it. */
    private int open(int[] first, int pass) {
        int at = first[pass + 1];
        for (int later = pass + 1; later <= passes; later++) {
            first[later]++;
        }
        return at;
    }

    /** Returns the first place of a pass among those of {@link #after}; of the number of passes, their end. */
    public int firstAfter(int pass) {
        return anyAfter ? firstAfter[pass] : 0;
    }

    private int orders() {
        return firstAfter(passes);
    }

    /** Returns a pass that one must come after whatever it uses. */
    public int after(int place) {
        return after[place];
    }

    // Uses.

    /**
     * Adds a use of a texture to a pass.
     *
     * @param range range, or null for everything
     * @param group group of writes that may overlap, {@link #NO_GROUP} or {@link #ALONE}
     * @param site where it is declared, or null
     */
    public void addUse(
            int pass,
            int texture,
            @Nullable SubresourceRange range,
            Access access,
            Mode mode,
            int group,
            @Nullable String site) {
        int at = openUse(pass, group, site);
        int traits = traits(access, mode, group);
        boolean again = isAgain(at, texture, traits) && Objects.equals(range, part[at]);
        if (again) {
            useTraits[at] &= ~ATTACHED;
        } else {
            keepPart(at, range);
            resource[at] = texture;
            useTraits[at] = traits | place(texture, range);
        }
        noteLocal(texture, access);
    }

    /**
     * Returns whether the former frame had such a use at a place, of a resource that has its shape until now. Uses below
     * {@link #formerUses} name none but resources of the former frame, so the shape at a place last is that of its frame.
     */
    private boolean isAgain(int at, int used, int traits) {
        return sameShapes && at < formerUses && resource[at] == used && (useTraits[at] & ~DERIVED) == traits;
    }

    private void noteLocal(int texture, Access access) {
        if (access == Access.INPUT_ATTACHMENT && texture >= 0) {
            resourceTraits[texture] |= LOCAL;
        }
    }

    /** Adds a use of a part of a buffer, of all of it if {@code bytes} is -1. */
    public void addUse(
            int pass, int buffer, long offset, long bytes, Access access, Mode mode, int group, @Nullable String site) {
        int at = openUse(pass, group, site);
        if (offset == 0 && bytes == -1) {
            keepPart(at, null);
        } else if (!(part[at] instanceof Bytes former) || former.offset != offset || former.bytes != bytes) {
            part[at] = new Bytes(offset, bytes);
        }
        resource[at] = buffer;
        useTraits[at] = traits(access, mode, group) | place(buffer, part[at]);
    }

    /** A frame like the last one has it already, and a store into an old array is not cheap. */
    private void keepPart(int use, @Nullable SubresourceRange range) {
        Object former = part[use];
        if (range == null ? former != null : !range.equals(former)) {
            part[use] = range;
        }
    }

    private static int traits(Access access, Mode mode, int group) {
        return access.ordinal() | mode.ordinal() << MODE_SHIFT | (group - ALONE) << GROUP_SHIFT;
    }

    /** Returns what uses name in place of a resource for a handle that is none of this frame. */
    int foreign(String handle, boolean former) {
        Foreign named = new Foreign(handle, former);
        int at = foreign.indexOf(named);
        if (at < 0) {
            at = foreign.size();
            foreign.add(named);
        }
        return -1 - at;
    }

    private int openUse(int pass, int group, @Nullable String site) {
        if (group >= MOST_GROUPS) {
            throw new RdgException("graph '" + name + "' has more than " + MOST_GROUPS
                    + " overlap groups; use one group for all passes that may overlap");
        }
        int at = uses();
        if (pass == passes - 1 && at < resource.length) {
            firstUse[passes] = at + 1;
        } else {
            at = makeRoomForUse(pass);
        }
        noteSite(at, site);
        return at;
    }

    private void noteSite(int use, @Nullable String site) {
        if (site != null || useSite.length > 0) {
            useSite = with(useSite, use, site);
        }
    }

    /** Opens a place for a use of any pass, in longer arrays if these are full. */
    private int makeRoomForUse(int pass) {
        int end = uses();
        if (end == resource.length) {
            int room = Math.max(ROOM, 2 * end);
            resource = Arrays.copyOf(resource, room);
            useTraits = Arrays.copyOf(useTraits, room);
            part = Arrays.copyOf(part, room);
        }
        int at = open(firstUse, pass);
        System.arraycopy(resource, at, resource, at + 1, end - at);
        System.arraycopy(useTraits, at, useTraits, at + 1, end - at);
        if (at < end) {
            System.arraycopy(part, at, part, at + 1, end - at);
        }
        if (at < end && useSite.length > 0) {
            useSite = Arrays.copyOf(useSite, Math.max(useSite.length, resource.length));
            System.arraycopy(useSite, at, useSite, at + 1, end - at);
        }
        return at;
    }

    /** Returns whether a use is of a part, or lies outside of what it names. */
    private int place(int used, @Nullable Object of) {
        if (used < 0) {
            return OUTSIDE;
        }
        if (of instanceof SubresourceRange range && shape[used] instanceof TextureDescription texture) {
            int planes = texture.format().planes();
            boolean within = range.baseMip() + range.mipCount() <= texture.mips()
                    && range.baseLayer() + range.layerCount() <= texture.layers()
                    && range.basePlane() + range.planeCount() <= planes;
            boolean whole = range.mipCount() == texture.mips()
                    && range.layerCount() == texture.layers()
                    && range.planeCount() == planes;
            return within ? whole ? 0 : PARTIAL : OUTSIDE;
        }
        if (of instanceof Bytes some && shape[used] instanceof BufferDescription buffer) {
            boolean within = some.offset >= 0 && some.bytes >= 1 && some.offset <= buffer.bytes() - some.bytes;
            return within ? some.bytes == buffer.bytes() ? 0 : PARTIAL : OUTSIDE;
        }
        return 0;
    }

    public int uses() {
        return firstUse[passes];
    }

    /** Returns the first use of a pass; of the number of passes, the number of all uses. */
    public int firstUse(int pass) {
        return firstUse[pass];
    }

    /** Returns the resource that a use is of, negative for none of this frame. */
    public int resource(int use) {
        return resource[use];
    }

    /** Returns whether a use is of a handle of what the graph declared before it was reset. */
    public boolean isOfFormerFrame(int use) {
        return resource[use] < 0 && foreign.get(-1 - resource[use]).former;
    }

    /** Returns the name of what a use is of. */
    public String resourceName(int use) {
        int r = resource[use];
        return r < 0 ? foreign.get(-1 - r).name : names.resource(r);
    }

    public Access access(int use) {
        return ACCESSES[useTraits[use] & ACCESS];
    }

    /** Returns the number of the access of a use, by which tables have what follows from it. */
    public int accessNumber(int use) {
        return useTraits[use] & ACCESS;
    }

    /** Returns whether a use only reads, as declared. */
    public boolean reads(int use) {
        return (useTraits[use] & MODE) == Mode.READ.ordinal() << MODE_SHIFT;
    }

    public Mode mode(int use) {
        return MODES[(useTraits[use] & MODE) >> MODE_SHIFT];
    }

    public boolean isAttachment(int use) {
        return (useTraits[use] & ATTACHED) != 0;
    }

    /** Returns the number of the group whose writes may overlap, or {@link #NO_GROUP} or {@link #ALONE}. */
    public int overlap(int use) {
        return (useTraits[use] >>> GROUP_SHIFT) + ALONE;
    }

    /** Returns the range of a texture, or null for everything or a buffer. */
    public @Nullable SubresourceRange range(int use) {
        return part[use] instanceof SubresourceRange range ? range : null;
    }

    /** Returns the first byte of a buffer. */
    public long offset(int use) {
        return part[use] instanceof Bytes some ? some.offset : 0;
    }

    /** Returns the length in a buffer, -1 for all. */
    public long bytes(int use) {
        return part[use] instanceof Bytes some ? some.bytes : -1;
    }

    /** Returns whether a use lies within its resource and leaves out a part of it. */
    public boolean isPartial(int use) {
        return (useTraits[use] & PARTIAL) != 0;
    }

    /** Returns whether a use does not lie within a resource of the graph. */
    public boolean isOutside(int use) {
        return (useTraits[use] & OUTSIDE) != 0;
    }

    /** Returns whether what was there before has to be kept: the pass reads, or writes without a discard. */
    public boolean needsContents(int use) {
        return (useTraits[use] & MODE) != Mode.OVERWRITE.ordinal() << MODE_SHIFT;
    }

    /** Returns whether the pass, if it runs, needs what was there before. */
    public boolean needsContentsIfRun(int use) {
        return needsContents(use) && mode(use) != Mode.OVERWRITE_IF_RUN;
    }

    /** Returns where a use was declared, or null. */
    public @Nullable String useSite(int use) {
        return use < useSite.length ? useSite[use] : null;
    }

    public void setAccess(int use, Access access, Mode mode) {
        useTraits[use] = (useTraits[use] & ~(ACCESS | MODE)) | access.ordinal() | mode.ordinal() << MODE_SHIFT;
    }

    /** Gives a use of a texture another range, null for everything. */
    public void setRange(int use, @Nullable SubresourceRange range) {
        keepPart(use, range);
        useTraits[use] = (useTraits[use] & ~(PARTIAL | OUTSIDE)) | place(resource[use], range);
    }

    public void attach(int use) {
        useTraits[use] |= ATTACHED;
    }

    // Attachments.

    /** Adds an attachment of one of the uses of a pass; not resolved. */
    void addAttachment(
            int pass,
            int use,
            Aspect aspect,
            LoadOp load,
            ClearColor clear,
            float clearDepth,
            int clearStencil,
            boolean readOnly,
            RenderTargets.@Nullable Slices slices) {
        int at = openAttachment(pass);
        Attachment former = attachment[at];
        if (former != null && former.resolve() >= 0) {
            former = exchange(at);
        }
        if (former == null
                || !former.is(use, aspect, load, clear, clearDepth, clearStencil, readOnly, -1, null, slices)) {
            attachment[at] =
                    new Attachment(use, aspect, load, clear, clearDepth, clearStencil, readOnly, -1, null, slices);
        }
        noteTarget(pass, use, aspect, slices);
    }

    private void noteTarget(int pass, int use, Aspect aspect, RenderTargets.@Nullable Slices slices) {
        int target = resource[firstUse[pass] + use];
        if (aspect != Aspect.COLOR || slices != null || target < 0 || !isSingle(target)) {
            passTraits[pass] |= SPECIAL_TARGETS;
        }
    }

    /** Resolves an attachment of a pass that is not resolved yet: to the texture of a use among those of the pass. */
    void resolve(int pass, int index, int target, @Nullable ResolveMode by) {
        passTraits[pass] |= SPECIAL_TARGETS;
        Attachment one = attachment(index);
        Attachment former = exchange(index);
        if (former == null
                || !former.is(
                        one.use(),
                        one.aspect(),
                        one.load(),
                        one.clear(),
                        one.clearDepth(),
                        one.clearStencil(),
                        one.readOnly(),
                        target,
                        by,
                        one.slices())) {
            attachment[index] = one.resolvedTo(target, by);
        }
    }

    /** Puts the other form of an attachment in its place, and returns it. */
    private @Nullable Attachment exchange(int at) {
        if (at >= otherForm.length) {
            otherForm = Arrays.copyOf(otherForm, attachment.length);
        }
        Attachment other = otherForm[at];
        otherForm[at] = attachment[at];
        attachment[at] = other;
        return other;
    }

    public void addAttachment(int pass, Attachment added) {
        // The array may be another one afterwards.
        int at = openAttachment(pass);
        attachment[at] = added;
        noteTarget(pass, added.use(), added.aspect(), added.slices());
        passTraits[pass] |= added.resolve() < 0 ? 0 : SPECIAL_TARGETS;
    }

    private int openAttachment(int pass) {
        int end = attachments();
        if (end == attachment.length) {
            attachment = Arrays.copyOf(attachment, Math.max(ROOM, 2 * end));
        }
        int at = open(firstAttachment, pass);
        if (at < end) {
            System.arraycopy(attachment, at, attachment, at + 1, end - at);
        }
        return at;
    }

    private int attachments() {
        return firstAttachment[passes];
    }

    /** Returns the first attachment of a pass; of the number of passes, the number of all. */
    public int firstAttachment(int pass) {
        return firstAttachment[pass];
    }

    public Attachment attachment(int index) {
        return Objects.requireNonNull(attachment[index]);
    }

    /** Returns the load operation of an attachment of a pass; one that may be left out clears by commands. */
    public LoadOp load(int pass, Attachment one) {
        return isConditional(pass) ? LoadOp.LOAD : one.load();
    }

    /** Puts another attachment in the place of one. */
    public void setAttachment(int index, Attachment other) {
        attachment[index] = other;
    }

    public List<Attachment> attachments(int pass) {
        List<Attachment> result = new ArrayList<>(firstAttachment[pass + 1] - firstAttachment[pass]);
        for (int a = firstAttachment[pass]; a < firstAttachment[pass + 1]; a++) {
            result.add(attachment(a));
        }
        return result;
    }

    public int useOf(int pass, Attachment one) {
        return firstUse[pass] + one.use();
    }

    // Resources.

    /**
     * Adds a resource of which nothing more is declared, and returns its index.
     *
     * @param description shape of a texture or a buffer
     * @param initial layout at the start of the frame
     * @param shared which queue families may use it, null for what its shape says
     * @param site where it is declared, or null
     */
    @SuppressWarnings("ReferenceEquality") // sharing that is equal to the constant takes the longer way
    public int addResource(
            String resourceName,
            Object description,
            Lifetime lifetime,
            TextureLayout initial,
            @Nullable Sharing shared,
            @Nullable String site) {
        int r = resources;
        if (r == shape.length) {
            int room = Math.max(ROOM, 2 * r);
            resourceTraits = Arrays.copyOf(resourceTraits, room);
            shape = Arrays.copyOf(shape, room);
        }
        resources = r + 1;
        // A former frame may have had the same at this place.
        int kind = resourceTraits[r] & OF_SHAPE;
        if (shape[r] != description) {
            shape[r] = description;
            kind = traits(description);
            sameShapes = false;
        }
        resourceTraits[r] = kind | lifetime.ordinal() << LIFETIME_SHIFT | initial.ordinal() << LAYOUT_SHIFT;
        anyTraits |= lifetime == Lifetime.EXTRACTED ? EXTRACTED : 0;
        if (r < memory.length) {
            memory[r] = null;
        }
        names.addResource(resourceName);
        if (site != null || resourceSite.length > 0) {
            resourceSite = with(resourceSite, r, site);
        }
        if (shared == null ? (kind & OWNED) != 0 : shared != Sharing.CONCURRENT) {
            setSharing(r, shared == null ? Sharing.EXCLUSIVE : shared);
        }
        return r;
    }

    private static int traits(Object description) {
        if (description instanceof BufferDescription buffer) {
            return (buffer.memory() == MemoryUsage.DEVICE ? 0 : MAPPED) | owned(buffer.sharing());
        }
        TextureDescription texture = (TextureDescription) description;
        boolean single = texture.kind() == TextureKind.TWO_D
                && texture.mips() == 1
                && texture.layers() == 1
                && texture.format().planes() == 1;
        return TEXTURE | (texture.format().isDepth() ? DEPTH : 0) | (single ? SINGLE : 0) | owned(texture.sharing());
    }

    private static int owned(QueueSharing sharing) {
        return sharing == QueueSharing.EXCLUSIVE ? OWNED : 0;
    }

    public int resources() {
        return resources;
    }

    /** Returns 0 for a buffer, 1 for a texture of colour, 3 for one of depth or stencil. */
    public int kindOfShape(int of) {
        return resourceTraits[of] & (TEXTURE | DEPTH);
    }

    /** Returns 0 for a buffer, 1 for a texture, 2 for one that {@link #isLocal}. */
    public int kindOfLayout(int of) {
        return (resourceTraits[of] & TEXTURE) + (resourceTraits[of] >> LOCAL_BIT & 1);
    }

    /**
     * Returns whether some pass reads a texture where it is attached: then all passes that draw to it have it in one
     * layout for both, merged or not.
     */
    public boolean isLocal(int of) {
        return (resourceTraits[of] & LOCAL) != 0;
    }

    public boolean isTexture(int of) {
        return (resourceTraits[of] & TEXTURE) != 0;
    }

    public boolean isDepth(int of) {
        return (resourceTraits[of] & DEPTH) != 0;
    }

    /** Returns whether a resource is a texture of two dimensions with one mip, layer and plane. */
    public boolean isSingle(int of) {
        return (resourceTraits[of] & SINGLE) != 0;
    }

    /** Returns whether a resource is a buffer that the host may reach. */
    public boolean isMapped(int of) {
        return (resourceTraits[of] & MAPPED) != 0;
    }

    /** Returns the shape of a texture, or null for a buffer. */
    public @Nullable TextureDescription texture(int of) {
        return shape[of] instanceof TextureDescription texture ? texture : null;
    }

    /** Returns the shape of a buffer, or null for a texture. */
    public @Nullable BufferDescription buffer(int of) {
        return shape[of] instanceof BufferDescription buffer ? buffer : null;
    }

    public int shapesHash() {
        int hash = 1;
        for (int r = 0; r < resources; r++) {
            hash = 31 * hash + Objects.hashCode(shape[r]);
        }
        return hash;
    }

    public void setLifetime(int of, Lifetime lifetime) {
        resourceTraits[of] = (resourceTraits[of] & ~LIFETIME) | lifetime.ordinal() << LIFETIME_SHIFT;
        anyTraits |= lifetime == Lifetime.EXTRACTED ? EXTRACTED : 0;
    }

    public boolean anyExtracted() {
        return (anyTraits & EXTRACTED) != 0;
    }

    public Lifetime lifetime(int of) {
        return LIFETIMES[(resourceTraits[of] & LIFETIME) >> LIFETIME_SHIFT];
    }

    /** Returns whether a resource exists before the frame: its shape and usage are what they are. */
    public boolean isExternal(int of) {
        int lifetime = (resourceTraits[of] & LIFETIME) >> LIFETIME_SHIFT;
        return lifetime == Lifetime.EXTERNAL.ordinal() || lifetime == Lifetime.HISTORY.ordinal();
    }

    /** Returns whether the contents of a resource matter after the frame. */
    public boolean isOutput(int of) {
        return (resourceTraits[of] & LIFETIME) != Lifetime.TRANSIENT.ordinal() << LIFETIME_SHIFT
                && !isDiscardedAfter(of);
    }

    public TextureLayout initialLayout(int of) {
        return LAYOUTS[(resourceTraits[of] & LAYOUT) >> LAYOUT_SHIFT];
    }

    /** Asks to leave a resource ready for an access, null for any. */
    public void setFinalAccess(int of, @Nullable Access access) {
        int code = access == null ? 0 : 1 + access.ordinal();
        resourceTraits[of] = (resourceTraits[of] & ~FINAL) | code << FINAL_SHIFT;
        anyTraits |= code << FINAL_SHIFT;
    }

    /** Returns the access to leave a resource ready for, or null for any. */
    public @Nullable Access finalAccess(int of) {
        int code = (resourceTraits[of] & FINAL) >> FINAL_SHIFT;
        return code == 0 ? null : ACCESSES[code - 1];
    }

    public boolean anyFinalAccess() {
        return (anyTraits & FINAL) != 0;
    }

    /** Notes that the contents of a resource are not needed after the frame, though it is not of the frame alone. */
    public void discardAfter(int of) {
        resourceTraits[of] |= DISCARDED_AFTER;
    }

    public boolean isDiscardedAfter(int of) {
        return (resourceTraits[of] & DISCARDED_AFTER) != 0;
    }

    /** Gives a transient memory of its own. */
    public void keepApart(int of) {
        resourceTraits[of] |= KEPT_APART;
    }

    public boolean sharesMemory(int of) {
        return (resourceTraits[of] & KEPT_APART) == 0;
    }

    /** Returns whether a resource is one of the frame alone, may share memory, and is out of the host's reach. */
    public boolean isPlaced(int of) {
        return (resourceTraits[of] & (LIFETIME | KEPT_APART | MAPPED))
                == Lifetime.TRANSIENT.ordinal() << LIFETIME_SHIFT;
    }

    /** Says which queue families may use a resource. */
    public void setSharing(int of, Sharing shared) {
        int traits = (shared.exclusive() ? EXCLUSIVE : 0) | (shared.families().isEmpty() ? 0 : SOME_FAMILIES);
        resourceTraits[of] = (resourceTraits[of] & ~(EXCLUSIVE | SOME_FAMILIES)) | traits;
        anyTraits |= traits;
        if (!shared.families().isEmpty()) {
            if (of >= sharing.length) {
                sharing = Arrays.copyOf(sharing, resourceTraits.length);
            }
            sharing[of] = shared;
        }
    }

    /** Returns which queue families may use a resource. */
    public Sharing sharing(int of) {
        if ((resourceTraits[of] & SOME_FAMILIES) != 0) {
            return Objects.requireNonNull(sharing[of]);
        }
        return isExclusive(of) ? Sharing.EXCLUSIVE : Sharing.CONCURRENT;
    }

    /** Returns whether a resource belongs to one queue family at a time. */
    public boolean isExclusive(int of) {
        return (resourceTraits[of] & EXCLUSIVE) != 0;
    }

    /** Returns whether any resource belongs to one queue family at a time. */
    public boolean anyExclusive() {
        return (anyTraits & EXCLUSIVE) != 0;
    }

    public boolean anyOfSomeFamilies() {
        return (anyTraits & SOME_FAMILIES) != 0;
    }

    /** Says what placing a resource takes, in place of the device. */
    public void setMemory(int of, MemoryRequirements needed) {
        if (of >= memory.length) {
            memory = Arrays.copyOf(memory, resourceTraits.length);
        }
        memory[of] = needed;
    }

    /** Returns what placing a resource takes, or null to ask the device. */
    public @Nullable MemoryRequirements memory(int of) {
        return of < memory.length ? memory[of] : null;
    }

    /** Returns where a resource was declared, or null. */
    public @Nullable String resourceSite(int of) {
        return of < resourceSite.length ? resourceSite[of] : null;
    }

    // Scopes.

    /** Adds a scope inside of another one, -1 for none, and returns its index. */
    public int addScope(String scopeName, int parent) {
        if (scopes == scopeParent.length) {
            scopeParent = Arrays.copyOf(scopeParent, Math.max(ROOM, 2 * scopes));
        }
        if (scopes == 0) {
            scope = atLeast(passes, scope);
            Arrays.fill(scope, 0, passes, -1);
        }
        scopeParent[scopes] = parent;
        names.addScope(scopeName);
        return scopes++;
    }

    public int scopes() {
        return scopes;
    }

    /** Returns the scope around one, or -1. */
    public int scopeParent(int of) {
        return scopeParent[of];
    }

    // Other graphs of this one.

    /** Returns a graph with the same scopes, no passes and resources, and room for as many. */
    public DeclaredGraph withScopes() {
        DeclaredGraph result = new DeclaredGraph(name);
        result.passTraits = new int[passes];
        result.firstUse = new int[passes + 1];
        result.firstAttachment = new int[passes + 1];
        result.resource = new int[uses()];
        result.useTraits = new int[uses()];
        result.part = new Object[uses()];
        result.attachment = new Attachment[attachments()];
        result.after = new int[orders()];
        result.resourceTraits = new int[resources];
        result.shape = new Object[resources];
        for (int s = 0; s < scopes; s++) {
            result.addScope(names.scope(s), scopeParent[s]);
        }
        return result;
    }

    public void addResourcesOf(DeclaredGraph other) {
        for (int r = 0; r < other.resources; r++) {
            addResourceOf(other, r);
        }
    }

    public void addResourceOf(DeclaredGraph other, int of) {
        int r = addResource(
                other.names.resource(of),
                Objects.requireNonNull(other.shape[of]),
                other.lifetime(of),
                other.initialLayout(of),
                other.sharing(of),
                other.resourceSite(of));
        resourceTraits[r] = other.resourceTraits[of];
        anyTraits |= other.resourceTraits[of];
        MemoryRequirements needed = other.memory(of);
        if (needed != null) {
            setMemory(r, needed);
        }
    }

    /**
     * Adds a pass of another graph, whose resources have the same indices here, and returns its index. What it comes
     * after is left out.
     */
    public int addPassOf(DeclaredGraph other, int of) {
        return addPassOf(other, of, false);
    }

    /** Adds a pass; if it is only what is usable of it, uses outside of resources and all attachments are left out. */
    private int addPassOf(DeclaredGraph other, int of, boolean usable) {
        int pass = addPass(other.names.pass(of), other.kind(of), other.scope(of), other.site(of));
        if (other.queue(of) >= 0) {
            setQueue(pass, other.queue(of));
        }
        Area limit = other.area(of);
        if (limit != null && !usable) {
            setArea(pass, limit.x(), limit.y(), limit.width(), limit.height());
        }
        passTraits[pass] = usable ? other.passTraits[of] & ~HAS_AREA : other.passTraits[of];
        for (int u = other.firstUse[of]; u < other.firstUse[of + 1]; u++) {
            if (!usable || !other.isOutside(u)) {
                int at = openUse(pass, NO_GROUP, other.useSite(u));
                part[at] = other.part[u];
                resource[at] = other.resource[u];
                useTraits[at] = other.useTraits[u];
                noteLocal(resource[at], access(at));
            }
        }
        for (int a = other.firstAttachment[of]; !usable && a < other.firstAttachment[of + 1]; a++) {
            addAttachment(pass, other.attachment(a));
        }
        return pass;
    }

    /**
     * Returns the graph without the uses that lie outside of its resources, and without the attachments of the passes
     * that have such.
     */
    public DeclaredGraph usable() {
        DeclaredGraph result = withScopes();
        result.addResourcesOf(this);
        for (int p = 0; p < passes; p++) {
            boolean outside = false;
            for (int u = firstUse[p]; u < firstUse[p + 1]; u++) {
                outside |= isOutside(u);
            }
            result.addPassOf(this, p, outside);
            for (int k = firstAfter(p); k < firstAfter(p + 1); k++) {
                result.addAfter(p, after[k]);
            }
        }
        return result;
    }

    public DeclaredGraph permuted(int[] order) {
        DeclaredGraph result = withScopes();
        result.addResourcesOf(this);
        result.foreign.addAll(foreign);
        int[] position = new int[order.length];
        for (int i = 0; i < order.length; i++) {
            position[order[i]] = i;
        }
        for (int i = 0; i < order.length; i++) {
            int of = order[i];
            result.addPassOf(this, of, false);
            for (int k = firstAfter(of); k < firstAfter(of + 1); k++) {
                result.addAfter(i, position[after[k]]);
            }
        }
        return result;
    }
}
