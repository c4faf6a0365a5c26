package io.frameloom.gpu.record;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.pipeline.BindlessTable.Kind;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.shader.PipelineShaders;
import java.util.Objects;

/** The checks of what is put into bindless tables. Stateless. */
public final class TableRules {
    private TableRules() {}

    /** Refuses a table where the device was opened without the capability. */
    public static void requireTables(DeviceCapabilities device, String name) {
        if (!device.has(Capability.DESCRIPTOR_INDEXING)) {
            throw new IllegalStateException("bindless table '" + name + "' " + missing(device));
        }
    }

    /** Refuses a pipeline that takes a table where the device was opened without the capability. */
    public static void requireTables(DeviceCapabilities device, String pipeline, PipelineShaders shaders) {
        if (shaders.tableSet() >= 0 && !device.has(Capability.DESCRIPTOR_INDEXING)) {
            throw new IllegalArgumentException(
                    pipeline + " takes a bindless table as set " + shaders.tableSet() + ", which " + missing(device));
        }
    }

    public static IllegalStateException unbound(String where, String pipeline, int set) {
        return new IllegalStateException(where + ": pipeline '" + pipeline + "' takes a bindless table as set " + set
                + ", and none is bound; bind it by bindTable, or in a render graph by readsTable of the pass");
    }

    private static String missing(DeviceCapabilities device) {
        return "needs " + CapabilityRules.off(device, Capability.DESCRIPTOR_INDEXING);
    }

    public static void texture(Perishable table, BindingRules.Owner owner, TextureView view, Kind kind) {
        Objects.requireNonNull(view, "view must not be null");
        String what = "texture '" + view.texture().name() + "' in " + table.describe();
        own(owner, view.texture(), what);
        if (!(view instanceof OwnedView)) {
            throw new IllegalArgumentException(what + " " + OwnedView.REFUSAL);
        }
        TextureUsage usage = kind == Kind.STORAGE_TEXTURE ? TextureUsage.STORAGE : TextureUsage.SAMPLED;
        if (!view.texture().description().usage().contains(usage)) {
            throw new IllegalArgumentException(what + " was created without usage " + usage);
        }
        if (view.isOfSlices()) {
            throw new IllegalArgumentException(
                    what + " is seen as slices, which are attachments alone; put in a view as THREE_D");
        }
        if (!owner.supports(view.format(), usage)) {
            throw new IllegalArgumentException(what + " is seen as " + view.format()
                    + ", which the device cannot use for " + usage + "; put in a view of another format");
        }
        if (kind == Kind.STORAGE_TEXTURE && view.range().mipCount() != 1) {
            throw new IllegalArgumentException(what + " as storage needs a view of one mip, got " + view.range());
        }
    }

    public static void sampler(Perishable table, BindingRules.Owner owner, Sampler sampler) {
        Objects.requireNonNull(sampler, "sampler must not be null");
        if (!(sampler instanceof OwnedSampler ours) || ours.device() != owner) {
            throw new IllegalArgumentException("a sampler in " + table.describe() + " is of another device");
        }
    }

    public static void buffer(Perishable table, BindingRules.Owner owner, Buffer buffer, long offset, long bytes) {
        Objects.requireNonNull(buffer, "buffer must not be null");
        String what = "buffer '" + buffer.name() + "' in " + table.describe();
        own(owner, buffer, what);
        if (!buffer.description().usage().contains(BufferUsage.STORAGE)) {
            throw new IllegalArgumentException(what + " was created without usage " + BufferUsage.STORAGE);
        }
        long size = buffer.description().bytes();
        if (offset < 0 || bytes < 1 || offset > size - bytes) {
            throw new IllegalArgumentException("range " + offset + "+" + bytes + " of " + what + " is "
                    + (bytes < 1 ? "empty" : "not within its " + size + " bytes"));
        }
        int alignment = owner.capabilities().storageAlignment();
        if ((offset & alignment - 1) != 0) {
            throw new IllegalArgumentException(
                    "offset " + offset + " of " + what + " must be a multiple of " + alignment);
        }
        if (bytes > owner.capabilities().maxStorageRange()) {
            throw new IllegalArgumentException("range " + offset + "+" + bytes + " of " + what + " is larger than the "
                    + owner.capabilities().maxStorageRange() + " bytes that the device allows");
        }
    }

    private static void own(BindingRules.Owner owner, Resource resource, String what) {
        if (!(resource instanceof Perishable ours) || !ours.belongsTo(owner)) {
            throw new IllegalArgumentException(what + " is of another device");
        }
        ours.requireOpen("put into a bindless table");
    }
}
