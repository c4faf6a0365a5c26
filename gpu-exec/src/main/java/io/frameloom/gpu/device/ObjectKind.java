package io.frameloom.gpu.device;

import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.ExternalTimeline;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.QuerySet;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BindlessTable;
import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.gpu.present.Surface;
import io.frameloom.gpu.present.Swapchain;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.Texture;

/**
 * The kinds of objects that an application owns and closes, in the order in which forgotten ones are closed: users
 * before what they use.
 */
public enum ObjectKind {
    FRAME_CONTEXT("frame context", FrameContext.class),
    TIMESTAMPS("timestamp set", TimestampSet.class),
    QUERIES("query set", QuerySet.class),
    DEVICE_EVENTS("device event set", DeviceEventSet.class),
    BINDING_SET("binding set", BindingSet.class),
    BINDLESS_TABLE("bindless table", BindlessTable.class),
    PIPELINE("pipeline", Pipeline.class),
    SWAPCHAIN("swapchain", Swapchain.class),
    SURFACE("surface", Surface.class),
    TEXTURE("texture", Texture.class),
    BUFFER("buffer", Buffer.class),
    HEAP("heap", MemoryHeap.class),
    /** Timeline that devices share. */
    TIMELINE("timeline", ExternalTimeline.class);

    private final String words;
    private final Class<?> type;

    ObjectKind(String words, Class<?> type) {
        this.words = words;
        this.type = type;
    }

    public static ObjectKind of(Object object) {
        for (ObjectKind kind : values()) {
            if (kind.type.isInstance(object)) {
                return kind;
            }
        }
        throw new IllegalArgumentException(object.getClass() + " is no kind of object that an application closes");
    }

    public String describe(String name) {
        return words + " '" + name + "'";
    }
}
