package io.frameloom.gpu.vulkan.driver;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.command.SubmissionObserver;
import io.frameloom.gpu.device.DeviceGate;
import io.frameloom.gpu.device.Retired;
import io.frameloom.gpu.record.BindingRules;
import io.frameloom.gpu.record.Closings;
import io.frameloom.gpu.record.ObjectRegistry;
import io.frameloom.gpu.record.ObserverFeed;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.FormatSupport;
import io.frameloom.gpu.resource.TextureUsage;
import java.nio.LongBuffer;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;

/** The part of a device that every object of it needs. */
public final class DeviceCore implements BindingRules.Owner {
    private final OpenedDevice opened;
    private final VulkanAdapter adapter;
    private DeviceCapabilities capabilities;
    private final int[] families;
    private final Set<Format> filtered;
    private final Set<Format> reduced;
    private final Set<Format> sampled;
    private final Set<Format> stored;
    private final DebugNames names;
    private final ObjectRegistry objects;
    private final DeviceLoss loss = new DeviceLoss();
    private final SyncMasks masks;
    private final AtomicLong serials = new AtomicLong();
    private final Closings closings = new Closings();
    private final DeviceGate gate;
    private final Retired retired = new Retired();
    private final ObserverFeed feed;
    private final LossEvidence evidence;
    private volatile boolean closed;

    public DeviceCore(
            OpenedDevice opened,
            VulkanAdapter adapter,
            DebugNames names,
            boolean creationSites,
            @Nullable SubmissionObserver observer,
            LossEvidence evidence) {
        this.opened = opened;
        this.adapter = adapter;
        this.capabilities = DeviceQuery.capabilities(
                adapter,
                opened.features(),
                opened.capabilities(),
                opened.plan().queues().get(0).family().timestampBits() > 0);
        this.masks = new SyncMasks(
                capabilities.has(Capability.CONDITIONAL_RENDERING),
                capabilities.has(Capability.ACCELERATION_STRUCTURES),
                capabilities.has(Capability.MESH_SHADERS),
                capabilities.has(Capability.RAY_TRACING_PIPELINES));
        this.families = opened.families();
        this.filtered = VulkanFormats.with(adapter.handle(), VK13.VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT);
        this.reduced = capabilities.limits().samplers().reductions()
                ? VulkanFormats.with(adapter.handle(), VK13.VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_MINMAX_BIT)
                : Set.of();
        this.sampled = VulkanFormats.with(adapter.handle(), VK13.VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT);
        this.stored = VulkanFormats.with(adapter.handle(), VK13.VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT);
        this.names = names;
        this.gate = new DeviceGate(capabilities.name());
        this.objects = new ObjectRegistry(creationSites);
        this.feed = new ObserverFeed(observer);
        this.evidence = evidence;
    }

    public VkDevice handle() {
        return opened.handle();
    }

    public VulkanAdapter adapter() {
        return adapter;
    }

    /** Returns whether the device was created here and is not an engine's. */
    public boolean owned() {
        return opened.owned();
    }

    /** Returns whether extensions may be on that this library has no name for. */
    public boolean hasUnnamedExtensions() {
        return opened.unnamedExtensions();
    }

    public DeviceFeatures features() {
        return opened.features();
    }

    @Override
    public DeviceCapabilities capabilities() {
        return capabilities;
    }

    /** Notes that timestamps cannot be related to the host's clock, before the device is given out. */
    public void withoutTimestamps() {
        capabilities = capabilities.withoutTimestamps();
    }

    /** Returns the numbers of stages and accesses. */
    public SyncMasks masks() {
        return masks;
    }

    /** Returns the queue families that share all resources made here. Not to be changed. */
    public int[] families() {
        return families;
    }

    public FormatSupport support(Format format) {
        return VulkanFormats.support(adapter.handle(), opened.features(), reduces(format), format);
    }

    @Override
    public boolean filters(Format format) {
        return filtered.contains(format);
    }

    @Override
    public boolean reduces(Format format) {
        return reduced.contains(format);
    }

    @Override
    public boolean supports(Format format, TextureUsage usage) {
        return (usage == TextureUsage.STORAGE ? stored : sampled).contains(format);
    }

    /** A call of the driver that creates an object. */
    @FunctionalInterface
    public interface Creation {
        /** Calls the driver, and returns its result. */
        int create(MemoryStack stack, LongBuffer out);
    }

    /**
     * Creates an object and names it.
     *
     * @param type VkObjectType
     * @param what the object, to follow "cannot create"
     */
    public long create(int type, String name, String what, Creation creation) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            LongBuffer out = stack.mallocLong(1);
            check(creation.create(stack, out), "create " + what);
            names.name(type, out.get(0), name);
            return out.get(0);
        }
    }

    /**
     * Throws if a call on this device failed, as {@link VulkanResults#check}; one that finds the device lost has the
     * report of that.
     */
    public void check(int result, String what) {
        if (result == VK13.VK_ERROR_DEVICE_LOST) {
            throw loss.lose("trying to " + what, result);
        }
        VulkanResults.check(result, what);
    }

    public DebugNames names() {
        return names;
    }

    /** Refuses from now on calls of the driver for a device that is going, and waits for those in progress. */
    public void close() {
        closed = true;
        gate.close();
    }

    /**
     * Returns the gate for calls of the driver. Submissions and waits, which end by themselves, and commands, which
     * belong to the thread that records, do not pass it.
     */
    public DeviceGate gate() {
        return gate;
    }

    public boolean isClosed() {
        return closed;
    }

    /** Throws if the device is closed; {@code what} begins the message. */
    public void requireOpen(String what) {
        if (closed) {
            throw new IllegalStateException(
                    what + ": device '" + capabilities.name() + "' is closed; open another device");
        }
    }

    /** Returns the part that destroys closed objects when the device has finished with them. */
    public Retired retired() {
        return retired;
    }

    public ObjectRegistry objects() {
        return objects;
    }

    /** Returns a number unique on this device: a driver reuses the handles of destroyed objects. */
    public long nextSerial() {
        return serials.incrementAndGet();
    }

    public ObserverFeed feed() {
        return feed;
    }

    /**
     * Returns the number of closings; raised by each object that a command list names, before the driver destroys it.
     */
    public Closings closings() {
        return closings;
    }

    public DeviceLoss loss() {
        return loss;
    }

    public LossEvidence evidence() {
        return evidence;
    }
}
