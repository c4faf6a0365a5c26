package io.frameloom.gpu.record;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.internal.MaskSet;
import io.frameloom.gpu.internal.Plural;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.pipeline.BoundResource.Elements;
import io.frameloom.gpu.pipeline.BoundResource.SampledImage;
import io.frameloom.gpu.pipeline.BoundResource.SampledTexture;
import io.frameloom.gpu.pipeline.BoundResource.SeparateSampler;
import io.frameloom.gpu.pipeline.BoundResource.StorageTexture;
import io.frameloom.gpu.pipeline.BoundResource.Structure;
import io.frameloom.gpu.pipeline.DynamicState;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.pipeline.ShaderBinding.Kind;
import io.frameloom.gpu.pipeline.ShaderBinding.TextureType;
import io.frameloom.gpu.pipeline.ShaderSlot;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Format.Aspect;
import io.frameloom.gpu.resource.Format.NumericKind;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.shader.PipelineShaders;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The checks of resources bound to the slots of one pipeline, by a command list or in a binding set: that the name
 * exists, and that the resource is of its kind, of the device, open, made for this use, aligned and within the limits.
 * A check that passes allocates nothing. Immutable; any thread.
 */
public final class BindingRules {
    private final String pipeline;
    private final List<ShaderBinding> bindings;
    private final ShaderBinding[] bySlot;
    private final Map<String, SlotHandle[]> slots = new HashMap<>();
    private final DeviceCapabilities device;
    private final Owner owner;
    private final PairRules pairs;
    private final int pushConstantBytes;
    private final int pushedSet;
    private final boolean readsAttachments;

    /** A device, as far as bindings depend on it; its objects {@linkplain Perishable#belongsTo belong} to this. */
    public interface Owner {
        DeviceCapabilities capabilities();

        /** Returns whether textures seen as a format may be sampled, or read and written as storage. */
        boolean supports(Format format, TextureUsage usage);

        /** Returns whether textures seen as a format may be sampled with linear filters. */
        boolean filters(Format format);

        /** Returns whether textures of a view format may be sampled by the smallest or largest texel of a filter. */
        boolean reduces(Format format);
    }

    /**
     * Rules of one pipeline.
     *
     * @param shaders its shaders; the place of a binding among theirs is its slot
     */
    public BindingRules(String pipeline, PipelineShaders shaders, Owner owner) {
        this.pipeline = pipeline;
        this.bindings = shaders.bindings();
        this.bySlot = bindings.toArray(new ShaderBinding[0]);
        this.device = owner.capabilities();
        this.owner = owner;
        this.pairs = new PairRules(pipeline, bindings, shaders.pairs(), owner);
        this.pushConstantBytes = shaders.pushConstantBytes();
        this.pushedSet = shaders.pushedSet();
        this.readsAttachments = bindings.stream().anyMatch(binding -> binding.kind() == Kind.INPUT_ATTACHMENT);
        for (int slot = 0; slot < bySlot.length; slot++) {
            SlotHandle[] elements = new SlotHandle[bySlot[slot].count()];
            elements[0] = new SlotHandle(this, bySlot[slot], slot, 0);
            // As literals are: the name that a program gives is usually the same object.
            slots.put(bySlot[slot].name().intern(), elements);
        }
    }

    /** Refuses input attachments that the device or the pipeline does not have. */
    public static void requireAttachments(
            GraphicsPipelineDescription pipeline, PipelineShaders shaders, DeviceCapabilities device) {
        int attachments = pipeline.colorFormats().size() + (pipeline.depthFormat() == null ? 0 : 1);
        for (ShaderBinding binding : shaders.bindings()) {
            if (binding.kind() != Kind.INPUT_ATTACHMENT) {
                continue;
            }
            String where = "graphics pipeline '" + pipeline.name() + "' has " + describe(binding);
            if (!device.has(Capability.DYNAMIC_RENDERING_LOCAL_READ)) {
                throw new IllegalArgumentException(
                        where + ", which takes " + CapabilityRules.off(device, Capability.DYNAMIC_RENDERING_LOCAL_READ)
                                + ", or sample the texture instead");
            }
            if (binding.attachment() >= attachments) {
                throw new IllegalArgumentException(where + ", which reads attachment " + binding.attachment()
                        + ", but there are only " + pipeline.colorFormats().size() + " colours"
                        + (pipeline.depthFormat() == null ? " and no depth" : " and depth after them")
                        + "; give it the input_attachment_index of an attachment");
            }
            if (binding.attachment() == pipeline.colorFormats().size()
                    && pipeline.dynamicStates().contains(DynamicState.DEPTH_TEST)) {
                throw new IllegalArgumentException(where + ", which reads depth, but the pipeline leaves its depth test"
                        + " to command lists, which can set one that writes; leave out DEPTH_TEST");
            }
            GraphicsPipelineDescription.DepthState depth = pipeline.depth();
            boolean writes = binding.attachment() < pipeline.blends().size()
                    ? pipeline.blends().get(binding.attachment()).writeMask() != 0
                    : depth != null && depth.write();
            if (writes) {
                throw new IllegalArgumentException(where + ", which reads attachment " + binding.attachment()
                        + ", but the pipeline writes that as well; give the colour a blend of write mask 0 (TargetBlend),"
                        + " or a depth test that does not write");
            }
        }
    }

    /** Returns the rules of a pipeline that a binding set is made for; throws unless it is the device's, and open. */
    public static BindingRules of(Pipeline pipeline, String set, Owner device) {
        Objects.requireNonNull(pipeline, "pipeline must not be null");
        if (!(pipeline instanceof Perishable ours) || !ours.belongsTo(device)) {
            throw new IllegalArgumentException(
                    "binding set '" + set + "' is made for pipeline '" + pipeline.name() + "' of another device");
        }
        if (ours.isClosed()) {
            throw new IllegalStateException("binding set '" + set + "' is made for pipeline '" + pipeline.name()
                    + "', which is closed; make the set before");
        }
        return ((RecordedPipeline) pipeline).rules();
    }

    public String pipeline() {
        return pipeline;
    }

    /** Returns the set whose bindings are written into command lists, or -1. */
    public int pushedSet() {
        return pushedSet;
    }

    public List<ShaderBinding> bindings() {
        return bindings;
    }

    /** Returns the bytes of push constants, 0 for none. */
    public int pushConstantBytes() {
        return pushConstantBytes;
    }

    public boolean readsAttachments() {
        return readsAttachments;
    }

    public static String describe(ShaderBinding binding) {
        return "binding '" + binding.name() + "' (" + binding.kind() + ", set " + binding.set() + " binding "
                + binding.binding() + ")";
    }

    public int slot(String name) {
        return elements(name)[0].place();
    }

    public SlotHandle handle(String name, int index) {
        SlotHandle[] elements = elements(name);
        if (index < 0 || index >= elements.length) {
            throw new IllegalArgumentException("binding '" + name + "' of pipeline '" + pipeline + "' has "
                    + elements(elements.length) + ", not one of number " + index);
        }
        SlotHandle known = elements[index];
        if (known == null) {
            // Threads that make the same at once make equal ones, which are immutable.
            known = new SlotHandle(this, elements[0].binding(), elements[0].place(), index);
            elements[index] = known;
        }
        return known;
    }

    IllegalArgumentException foreign(String where, ShaderSlot slot) {
        String owner =
                slot instanceof SlotHandle other ? "pipeline '" + other.rules().pipeline + "'" : "another library";
        boolean namesake =
                slot instanceof SlotHandle other && other.rules().pipeline.equals(pipeline);
        return new IllegalArgumentException(where + ": the slot of '"
                + slot.binding().name() + "' is of " + owner + ", but "
                + (namesake ? "another pipeline of that name" : "'" + pipeline + "'")
                + " is bound; keep a slot of each pipeline");
    }

    /**
     * Returns the refusal of a draw or dispatch to which a set lacks bindings.
     *
     * @param where command and list
     * @param firstMissing returns the first element of a slot to which nothing is bound, or -1 if there is none
     */
    public IllegalStateException incomplete(String where, int set, IntUnaryOperator firstMissing) {
        StringJoiner missing = new StringJoiner(", ");
        for (int slot = 0; slot < bySlot.length; slot++) {
            ShaderBinding binding = bySlot[slot];
            int element = binding.set() == set ? firstMissing.applyAsInt(slot) : -1;
            if (element >= 0) {
                missing.add(describe(binding) + (binding.count() > 1 ? " element " + element : ""));
            }
        }
        return new IllegalStateException(
                where + ": pipeline '" + pipeline + "' still needs " + missing + "; bind it before");
    }

    /** Returns the refusal of a draw or dispatch for which a set is filled in two ways. */
    public IllegalStateException filledTwice(String where, ShaderBinding byName, String bindingSet) {
        return new IllegalStateException(where + ": set " + byName.set() + " of pipeline '" + pipeline
                + "' is filled by binding set '" + bindingSet + "' and by name ('" + byName.name()
                + "'); use one of them");
    }

    private SlotHandle[] elements(String name) {
        SlotHandle[] elements = slots.get(name);
        if (elements == null) {
            throw new IllegalArgumentException(
                    "pipeline '" + pipeline + "' has no binding '" + name + "'; it has " + known());
        }
        return elements;
    }

    private String known() {
        StringBuilder known = new StringBuilder();
        for (ShaderBinding binding : bindings) {
            known.append(known.length() == 0 ? "" : ", ")
                    .append(binding.name())
                    .append(" (")
                    .append(binding.kind())
                    .append(')');
        }
        return known.length() == 0 ? "none" : known.toString();
    }

    public void texture(SlotHandle slot, TextureView view, Sampler sampler) {
        ShaderBinding binding = slot.binding();
        requireKind(binding, Kind.SAMPLED_TEXTURE);
        view(binding, view, TextureUsage.SAMPLED);
        own(binding, sampler);
        type(binding, view);
        filter(binding, view, sampler.description());
    }

    private void own(ShaderBinding binding, Sampler sampler) {
        if (!(sampler instanceof OwnedSampler ours) || ours.device() != owner) {
            throw new IllegalArgumentException("the sampler" + to(binding) + "is of another device");
        }
    }

    /** Checks an element of a binding of textures whose samplers are bound separately. */
    public void sampledImage(SlotHandle slot, TextureView view) {
        requireKind(slot.binding(), Kind.SAMPLED_IMAGE);
        view(slot.binding(), view, TextureUsage.SAMPLED);
        type(slot.binding(), view);
    }

    /**
     * Checks a binding of an input attachment.
     *
     * @param declared whether a pass says what it uses
     */
    void inputAttachment(SlotHandle slot, TextureView view, RecordingRules rules, boolean declared) {
        ShaderBinding binding = slot.binding();
        view(binding, view, TextureUsage.INPUT_ATTACHMENT);
        numbers(binding, view);
        RenderingInfo open = rules.rendering();
        if (open == null || !declared) {
            String cause = open != null
                    ? "where no pass says what it uses; begin a pass that declares INPUT_ATTACHMENT"
                    : rules.isSecondary()
                            ? "in a secondary list; bind it in the primary list"
                            : "outside of a render pass; bind it between beginRendering and endRendering";
            throw new IllegalStateException(rules.where("bindTexture") + ": input attachment '" + binding.name()
                    + "' of pipeline '" + pipeline + "' is bound " + cause);
        }
        TextureView attached = attached(binding.attachment(), open);
        if (attached == null
                || attached.texture() != view.texture()
                || attached.range().baseMip() != view.range().baseMip()
                || attached.range().baseLayer() != view.range().baseLayer()) {
            throw refused(
                    binding,
                    view,
                    "is not attachment " + binding.attachment() + " of the render pass, which the shader names by its"
                            + " input_attachment_index"
                            + (attached == null
                                    ? ""
                                    : " and which is of '" + attached.texture().name() + "'")
                            + "; bind what is attached there");
        }
    }

    /** Returns the attachment of a number: a colour, or depth after the last of them; null if there is none. */
    private static @Nullable TextureView attached(int number, RenderingInfo open) {
        int colors = open.colors().size();
        RenderingInfo.DepthAttachment depth = open.depth();
        return number < colors
                ? open.colors().get(number).view()
                : number == colors && depth != null ? depth.view() : null;
    }

    public void sampler(SlotHandle slot, Sampler sampler) {
        requireKind(slot.binding(), Kind.SAMPLER);
        own(slot.binding(), sampler);
    }

    /** Returns the checks of textures against the samplers that draws and dispatches use them with. */
    public PairRules pairs() {
        return pairs;
    }

    public void storageTexture(SlotHandle slot, TextureView view) {
        ShaderBinding binding = slot.binding();
        requireKind(binding, Kind.STORAGE_TEXTURE);
        view(binding, view, TextureUsage.STORAGE);
        Format declared = binding.storageFormat();
        if (declared != null && declared != view.format()) {
            throw refused(
                    binding,
                    view,
                    "is seen as " + view.format() + ", the shader declares " + declared
                            + "; use a view or a texture of that format");
        }
        if (!view.components().isIdentity()) {
            throw refused(
                    binding,
                    view,
                    "as storage is seen with channels " + view.components()
                            + "; bind a view without a component mapping");
        }
        if (view.range().mipCount() != 1) {
            throw refused(binding, view, "as storage needs a view of one mip, got " + view.range());
        }
        type(binding, view);
    }

    /** Checks the type that the shader declares for its access to a texture; nothing if it declares none. */
    private void type(ShaderBinding binding, TextureView view) {
        TextureType type = binding.texture();
        if (type == null) {
            return;
        }
        if (view.kind() != type.kind()) {
            throw mismatch(binding, view, "is seen as " + view.kind() + ", the shader takes " + type.kind());
        }
        numbers(binding, view);
    }

    private void numbers(ShaderBinding binding, TextureView view) {
        TextureType type = Objects.requireNonNull(binding.texture());
        int samples = view.texture().description().samples();
        if (samples > 1 != type.multisampled()) {
            throw mismatch(
                    binding,
                    view,
                    "has " + Plural.of(samples, "sample") + ", the shader takes "
                            + (type.multisampled() ? "one of several" : "one of a single sample"));
        }
        NumericKind numbers = SamplerFit.aspect(view) == Aspect.STENCIL
                ? NumericKind.UINT
                : view.format().kind();
        if (numbers != type.numbers()) {
            throw mismatch(
                    binding,
                    view,
                    "is seen as " + view.format() + ", whose numbers are " + numbers + ", the shader takes "
                            + type.numbers());
        }
    }

    private void filter(ShaderBinding binding, TextureView view, SamplerDescription sampler) {
        int does = SamplerFit.of(sampler);
        TextureType type = binding.texture();
        if (type != null && (does & SamplerFit.refusedBy(type.comparison())) != 0) {
            boolean compares = (does & SamplerFit.COMPARES) != 0;
            throw mismatch(
                    binding,
                    view,
                    "has a sampler that " + (compares ? "compares" : "does not compare") + ", the shader takes one"
                            + " that " + (compares ? "does not" : "does"));
        }
        int clash = does == SamplerFit.PLAIN ? 0 : does & SamplerFit.refusedBy(view, owner);
        if (clash != 0) {
            throw refused(binding, view, SamplerFit.words(clash, view, "has a sampler", "its sampler"));
        }
    }

    private IllegalArgumentException mismatch(ShaderBinding binding, TextureView view, String words) {
        return refused(binding, view, words + "; bind what the shader declares");
    }

    private IllegalArgumentException refused(ShaderBinding binding, TextureView view, String words) {
        return new IllegalArgumentException("texture '" + view.texture().name() + "'" + to(binding) + words);
    }

    private String to(ShaderBinding binding) {
        return " bound to '" + binding.name() + "' of pipeline '" + pipeline + "' ";
    }

    public void buffer(SlotHandle slot, Buffer buffer, long offset, long bytes) {
        ShaderBinding binding = slot.binding();
        boolean uniform = binding.kind() == Kind.UNIFORM_BUFFER;
        if (!uniform) {
            requireKind(binding, Kind.STORAGE_BUFFER);
        }
        requireOwn(binding, "buffer", buffer);
        BufferUsage usage = uniform ? BufferUsage.UNIFORM : BufferUsage.STORAGE;
        if (!MaskSet.has(buffer.description().usage(), usage)) {
            throw new IllegalArgumentException(
                    "buffer '" + buffer.name() + "'" + to(binding) + "was created without usage " + usage);
        }
        int alignment = uniform ? device.uniformAlignment() : device.storageAlignment();
        if (offset < 0 || (offset & alignment - 1) != 0) {
            throw new IllegalArgumentException("offset " + offset + " of buffer '" + buffer.name() + "'" + to(binding)
                    + "must be a multiple of " + alignment);
        }
        long size = buffer.description().bytes();
        if (bytes < 1 || offset > size - bytes) {
            throw new IllegalArgumentException("range " + offset + "+" + bytes + to(binding) + "is not within buffer '"
                    + buffer.name() + "' of " + size + " bytes");
        }
        long most = uniform ? device.limits().memory().maxUniformRange() : device.maxStorageRange();
        if (bytes > most) {
            throw new IllegalArgumentException("range " + offset + "+" + bytes + " of buffer '" + buffer.name() + "'"
                    + to(binding) + "is larger than the " + most
                    + " bytes that the device allows; bind a part of it");
        }
        if (bytes < binding.minBytes()) {
            throw tooSmall(binding, "range " + offset + "+" + bytes + " of buffer '" + buffer.name() + "'");
        }
    }

    public void structure(SlotHandle slot, AccelerationStructure structure) {
        ShaderBinding binding = slot.binding();
        requireKind(binding, Kind.ACCELERATION_STRUCTURE);
        requireOwn(binding, "acceleration structure", structure);
        if (structure.level() != AccelerationStructure.Level.TOP) {
            throw new IllegalArgumentException("acceleration structure '" + structure.name() + "'" + to(binding)
                    + "is a bottom level; bind a top level that refers to it");
        }
        Resource gone = StructureRules.built(structure).firstClosed();
        if (gone != null) {
            throw new IllegalStateException("acceleration structure '" + structure.name() + "'" + to(binding)
                    + "refers to bottom level '" + gone.name() + "', which is closed; build it anew without that");
        }
    }

    private void check(SlotHandle slot, BoundResource resource) {
        if (resource instanceof SampledTexture sampled) {
            texture(slot, sampled.view(), sampled.sampler());
        } else if (resource instanceof SampledImage image) {
            if (slot.binding().kind() == Kind.INPUT_ATTACHMENT) {
                throw new IllegalArgumentException(describe(slot.binding()) + " of pipeline '" + pipeline
                        + "' cannot be in a binding set, since it is an attachment of the render pass; bind it by name,"
                        + " in a set of its own");
            }
            sampledImage(slot, image.view());
        } else if (resource instanceof SeparateSampler separate) {
            sampler(slot, separate.sampler());
        } else if (resource instanceof StorageTexture storage) {
            storageTexture(slot, storage.view());
        } else if (resource instanceof BufferRange range) {
            buffer(slot, range.buffer(), range.offset(), range.bytes());
        } else if (resource instanceof Structure bound) {
            structure(slot, bound.structure());
        } else {
            throw new IllegalArgumentException("element " + slot.index() + " of '"
                    + slot.binding().name() + "' of pipeline '" + pipeline
                    + "' is an array itself; give single resources");
        }
    }

    /**
     * Checks the resources of a binding set.
     *
     * @param set name of the binding set
     * @param number the descriptor set that it is for
     */
    public void checkSet(String set, int number, Map<String, BoundResource> resources) {
        if (bindings.stream().noneMatch(binding -> binding.set() == number)) {
            throw new IllegalArgumentException("binding set '" + set + "' is for set " + number + " of pipeline '"
                    + pipeline + "', which has nothing there; its bindings are " + known());
        }
        if (number == pushedSet) {
            throw new IllegalArgumentException("binding set '" + set + "' is for set " + number + " of pipeline '"
                    + pipeline + "', which pushes it; bind its resources by name or slot");
        }
        resources.forEach((name, resource) -> {
            ShaderBinding binding = bindings.get(slot(name));
            if (binding.set() != number) {
                throw new IllegalArgumentException("binding set '" + set + "' is for set " + number + ", but '" + name
                        + "' of pipeline '" + pipeline + "' is in set " + binding.set());
            }
            checkElements(binding, resource);
        });
        for (ShaderBinding binding : bindings) {
            if (binding.set() == number && !resources.containsKey(binding.name())) {
                throw new IllegalArgumentException(
                        "binding set '" + set + "' for pipeline '" + pipeline + "' lacks " + describe(binding));
            }
        }
        pairs.checkSet(set, resources);
    }

    /**
     * Returns the smallest ranges of the buffers in a binding set, in the order of its bindings; {@link Long#MAX_VALUE}
     * for textures and samplers.
     *
     * @param resources its resources by name, which were checked
     */
    public long[] ranges(int set, Map<String, BoundResource> resources) {
        return bindings.stream()
                .filter(binding -> binding.set() == set)
                .mapToLong(binding -> smallest(resources.get(binding.name())))
                .toArray();
    }

    private static long smallest(@Nullable BoundResource resource) {
        if (resource instanceof Elements array) {
            return array.elements().stream()
                    .mapToLong(BindingRules::smallest)
                    .min()
                    .orElse(Long.MAX_VALUE);
        }
        return resource instanceof BufferRange range ? range.bytes() : Long.MAX_VALUE;
    }

    /**
     * Checks the ranges of a binding set against the blocks of this pipeline, which need not be the one that the set
     * was made for. Allocates nothing.
     *
     * @param ranges what {@link #ranges} has returned for the same bindings
     */
    public void checkRanges(String name, int set, long[] ranges) {
        int next = 0;
        for (ShaderBinding binding : bySlot) {
            if (binding.set() == set && ranges[next++] < binding.minBytes()) {
                throw tooSmall(binding, "a range of " + ranges[next - 1] + " bytes in binding set '" + name + "'");
            }
        }
    }

    private IllegalArgumentException tooSmall(ShaderBinding binding, String range) {
        return new IllegalArgumentException(range + to(binding) + "is less than the " + binding.minBytes()
                + " bytes of its block; bind all that the shader declares");
    }

    private void checkElements(ShaderBinding binding, BoundResource resource) {
        List<BoundResource> elements = resource instanceof Elements array ? array.elements() : List.of(resource);
        if (elements.size() != binding.count()) {
            throw new IllegalArgumentException(
                    "binding '" + binding.name() + "' of pipeline '" + pipeline + "' has " + elements(binding.count())
                            + ", " + elements.size() + " given; give all in BoundResource.Elements");
        }
        for (int i = 0; i < elements.size(); i++) {
            check(handle(binding.name(), i), elements.get(i));
        }
    }

    private static String elements(int count) {
        return Plural.of(count, "element");
    }

    private void requireKind(ShaderBinding binding, Kind given) {
        if (binding.kind() == given) {
            return;
        }
        String way = switch (binding.kind()) {
            case SAMPLED_TEXTURE -> "a texture with a sampler";
            case SAMPLED_IMAGE -> "a texture without a sampler";
            case INPUT_ATTACHMENT -> "the attachment, without a sampler";
            case SAMPLER -> "a sampler alone";
            case STORAGE_TEXTURE -> "a storage texture";
            case UNIFORM_BUFFER, STORAGE_BUFFER -> "a buffer range";
            case ACCELERATION_STRUCTURE -> "an acceleration structure";
        };
        throw new IllegalArgumentException("binding '" + binding.name() + "' of pipeline '" + pipeline + "' is a "
                + binding.kind() + "; bind " + way);
    }

    private void view(ShaderBinding binding, TextureView view, TextureUsage usage) {
        requireOwn(binding, "texture", view.texture());
        if (!(view instanceof OwnedView)) {
            throw refused(binding, view, OwnedView.REFUSAL);
        }
        if (!MaskSet.has(view.texture().description().usage(), usage)) {
            throw refused(binding, view, "was created without usage " + usage);
        }
        if (view.isOfSlices()) {
            throw refused(binding, view, "is seen as slices, which are attachments alone; bind a view as THREE_D");
        }
        // A view of an attachment has a format that can be one.
        if (usage != TextureUsage.INPUT_ATTACHMENT && !owner.supports(view.format(), usage)) {
            throw refused(
                    binding,
                    view,
                    "is seen as " + view.format() + ", which the device cannot use for " + usage
                            + "; bind a view of another format");
        }
    }

    private void requireOwn(ShaderBinding binding, String kind, Resource resource) {
        if (!(resource instanceof Perishable ours) || !ours.belongsTo(owner)) {
            throw new IllegalArgumentException(
                    kind + " '" + resource.name() + "'" + to(binding) + "is of another device");
        }
        if (ours.isClosed()) {
            throw new IllegalStateException("'" + resource.name() + "'" + to(binding) + "is closed; bind an open one");
        }
    }
}
