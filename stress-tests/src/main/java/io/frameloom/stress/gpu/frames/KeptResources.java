package io.frameloom.stress.gpu.frames;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.rdg.BufferHistory;
import io.frameloom.stress.gpu.frames.GraphShape.Life;
import io.frameloom.stress.gpu.frames.GraphShape.Resource;
import io.frameloom.stress.gpu.frames.GraphShape.Texels;
import io.frameloom.stress.gpu.frames.GraphShape.Words;
import io.frameloom.stress.gpu.queues.ExclusiveBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the frames of a case share on the device, with the layouts between frames. One thread. */
final class KeptResources implements AutoCloseable {
    private final GpuDevice device;
    private final Map<Integer, Buffer> buffers = new HashMap<>();
    private final Map<Integer, Texture> textures = new HashMap<>();
    private final Map<Integer, TextureLayout> layouts = new HashMap<>();
    private final List<AutoCloseable> made = new ArrayList<>();
    private final BufferHistory history;

    KeptResources(GpuDevice device, List<Resource> kept) {
        this.device = device;
        history = new BufferHistory(device, "history", Access.STORAGE_READ_COMPUTE, HostModel.INITIAL);
        try {
            for (int i = 0; i < kept.size(); i++) {
                make(i, kept.get(i));
            }
        } catch (RuntimeException failure) {
            close();
            throw failure;
        }
    }

    private void make(int index, Resource resource) {
        if (resource instanceof Texels texels) {
            Texture texture = device.createTexture(texels.name(), description(texels));
            made.add(texture::close);
            textures.put(index, texture);
            layouts.put(index, TextureLayout.UNDEFINED);
        } else if (resource instanceof Words words && words.life() == Life.EXTERNAL) {
            Buffer buffer = device.createBuffer(words.name(), description(words));
            made.add(buffer::close);
            buffers.put(index, buffer);
        } else if (resource instanceof Words words && words.life() == Life.EXCLUSIVE) {
            ExclusiveBuffer imported = new ExclusiveBuffer(
                    (VulkanDevice) device, words.name(), description(words).bytes());
            made.add(imported);
            buffers.put(index, imported.buffer());
        }
    }

    /** Returns the shape of a buffer. */
    static BufferDescription description(Words words) {
        return BufferDescription.device(
                        (long) GraphShape.CHUNK * words.chunks(),
                        BufferUsage.STORAGE,
                        BufferUsage.COPY_SRC,
                        BufferUsage.COPY_DST)
                .withSharing(words.sharing());
    }

    /** Returns the shape of a texture. */
    static TextureDescription description(Texels texels) {
        Set<TextureUsage> usage =
                EnumSet.of(TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC, TextureUsage.COPY_DST);
        if (texels.format() == Format.R32_UINT) {
            usage.add(TextureUsage.STORAGE);
        }
        return new TextureDescription(
                        texels.width(), texels.height(), texels.mips(), texels.layers(), texels.format(), usage)
                .withSharing(texels.sharing());
    }

    Buffer buffer(int index) {
        return found(buffers.get(index), index);
    }

    Texture texture(int index) {
        return found(textures.get(index), index);
    }

    TextureLayout layout(int index) {
        return found(layouts.get(index), index);
    }

    void layout(int index, TextureLayout layout) {
        layouts.put(index, layout);
    }

    BufferHistory history() {
        return history;
    }

    private static <T> T found(@Nullable T kept, int index) {
        if (kept == null) {
            throw new IllegalArgumentException("frames share no such resource " + index);
        }
        return kept;
    }

    @Override
    public void close() {
        history.close();
        for (AutoCloseable each : made) {
            try {
                each.close();
            } catch (Exception failure) {
                throw new IllegalStateException("what frames share does not close", failure);
            }
        }
    }
}
